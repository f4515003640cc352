import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cleanup } from '../sandbox/test-folder.ts'
import type { Driver, StoreOptions } from './driver.ts'
import { openStore } from './open.ts'

/** A fresh store that goes away when the test ends: SQLite, or PostgreSQL where `TROUPE_TEST_DATABASE=postgres` runs the same tests on it. */
export async function openTestStore(t: Cleanup): Promise<Driver> {
  if (!onPostgres()) return openTestSqlite(t)
  const { openTestPostgres } = await import('./postgres/test-postgres.ts')
  return openTestPostgres(t)
}

/** The address of such a store for processes that a test starts; on SQLite a file in this folder. */
export async function testAddress(folder: string): Promise<string> {
  if (!onPostgres()) return `sqlite:${join(folder, 'troupe.db')}`
  const { testPostgresAddress } = await import('./postgres/test-postgres.ts')
  return testPostgresAddress()
}

const onPostgres = () => process.env['TROUPE_TEST_DATABASE'] === 'postgres'

/** A fresh SQLite store in a folder of its own, closed and removed when the test ends. */
export async function openTestSqlite(t: Cleanup, options?: StoreOptions): Promise<Driver> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-store-'))
  const file = join(folder, 'troupe.db')
  await copyFile(await (migrated ??= migrateOnce()), file)
  const store = await openStore(`sqlite:${file}`, options)
  t.after(async () => {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  })
  return store
}

let migrated: Promise<string> | undefined

/** An empty store for this process to copy: making every table anew waits for the disk six times as long. */
async function migrateOnce(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-store-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'troupe.db')
  await (await openStore(`sqlite:${file}`)).close()
  return file
}

/** Opens a store that something else uses too, for a moment. */
export async function inStore<Result>(address: string, work: (driver: Driver) => Promise<Result>): Promise<Result> {
  const driver = await openStore(address)
  try {
    return await work(driver)
  } finally {
    await driver.close()
  }
}
