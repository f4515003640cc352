import type { LoadedConfig } from '../../config/load.ts'
import type { Driver } from '../../store/driver.ts'

/** The store that the configuration of a folder names, and that configuration. Close it when you are done. Loaded when asked for: not every verb needs one. */
export async function openConfiguredStore(folder = process.cwd()): Promise<{ driver: Driver; loaded: LoadedConfig }> {
  const [{ loadConfig }, { openStoreOf }] = await Promise.all([import('../../config/load.ts'), import('../../config/open-store.ts')])
  const loaded = await loadConfig({ env: process.env, cwd: folder })
  return { driver: await openStoreOf(loaded), loaded }
}

/** Lends some work that store, and closes it afterwards. */
export async function withStore<Result>(work: (driver: Driver, loaded: LoadedConfig) => Promise<Result>, folder?: string): Promise<Result> {
  const { driver, loaded } = await openConfiguredStore(folder)
  try {
    return await work(driver, loaded)
  } finally {
    await driver.close()
  }
}
