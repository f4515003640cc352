import { hideStore } from '../sandbox/files/store-paths.ts'
import type { Driver } from '../store/driver.ts'
import { openStore } from '../store/open.ts'
import type { LoadedConfig } from './load.ts'
import { storeAddress } from './wiring.ts'

/** Opens the store in force. From then on no command and no file tool of this process reaches it, wherever it is. */
export async function openStoreOf(loaded: LoadedConfig): Promise<Driver> {
  const address = storeAddress(loaded)
  hideStore(address)
  return openStore(address)
}
