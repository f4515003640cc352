import { join } from 'node:path'
import { testFolder, type Cleanup } from '../../src/sandbox/test-folder.ts'
import type { Driver } from '../../src/store/driver.ts'
import { openStore } from '../../src/store/open.ts'

/** An empty folder with a store in it. */
export async function openPlace(t: Cleanup): Promise<{ folder: string; driver: Driver }> {
  const folder = await testFolder(t)
  const driver = await openStore(`sqlite:${join(folder, 'troupe.db')}`)
  t.after(() => driver.close())
  return { folder, driver }
}
