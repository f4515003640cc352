import type { Driver } from '../store/driver.ts'

/** The store that the configuration of a folder names. Close it when you are done. Loaded when asked for: not every verb needs one. */
export async function openConfiguredStore(folder = process.cwd()): Promise<Driver> {
  const [{ loadConfig }, { openStoreOf }] = await Promise.all([import('../config/load.ts'), import('../config/open-store.ts')])
  return openStoreOf(await loadConfig({ env: process.env, cwd: folder }))
}

/** Lends some work that store, and closes it afterwards. */
export async function withStore<Result>(work: (driver: Driver) => Promise<Result>, folder?: string): Promise<Result> {
  const driver = await openConfiguredStore(folder)
  try {
    return await work(driver)
  } finally {
    await driver.close()
  }
}
