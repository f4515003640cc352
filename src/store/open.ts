import { resolve } from 'node:path'
import { maskedAddress } from '../domain/text/key-shapes.ts'
import { Problem } from '../domain/problem.ts'
import type { Driver, StoreOptions } from './driver.ts'
import { migrate, pending } from './migrate.ts'
import { migrations } from './migrations.ts'

const defaults: Required<StoreOptions> = {
  warn: (problem) => process.emitWarning(problem.message, { code: problem.code }),
  patienceMs: 15_000,
}

/** Opens the store at an address, `sqlite:PATH` or `postgres://…`, and brings it up to date. */
export async function openStore(address: string, options: StoreOptions = {}): Promise<Driver> {
  const driver = await connectTo(address, { ...defaults, ...options })
  try {
    await migrate(driver, migrations)
    return driver
  } catch (error) {
    await driver.close()
    throw error
  }
}

/** How many changes of its tables a store waits for; a store that cannot be used is refused as it would be by opening it. Nothing is changed. */
export async function pendingChanges(address: string, options: StoreOptions = {}): Promise<number> {
  const driver = await connectTo(address, { ...defaults, ...options })
  try {
    return (await pending(driver, migrations)).length
  } finally {
    await driver.close()
  }
}

/** What is wrong with the pages of a store that is a file, in the words of SQLite; null where nothing is. Reads all of it. */
export async function damageOf(address: string, options: StoreOptions = {}): Promise<string | null> {
  if (!address.startsWith('sqlite:')) return null
  const driver = await connectTo(address, { ...defaults, ...options })
  try {
    const [first] = await driver.query<Record<string, string>>('pragma quick_check(1)')
    const said = Object.values(first ?? {})[0] ?? 'ok'
    return said === 'ok' ? null : said.replaceAll(/\s+/g, ' ')
  } finally {
    await driver.close()
  }
}

async function connectTo(address: string, options: Required<StoreOptions>): Promise<Driver> {
  if (/^sqlite:./.test(address)) {
    const { openSqlite } = await import('./sqlite/sqlite.ts')
    return openSqlite(resolve(address.slice('sqlite:'.length)), options)
  }
  if (/^postgres(ql)?:\/\//.test(address)) {
    const { openPostgres } = await import('./postgres/postgres.ts')
    return openPostgres(address, options)
  }
  throw new Problem(
    'bad_input',
    `${maskedAddress(address)} is not the address of a store; use sqlite:PATH or postgres://USER@HOST/DATABASE`,
  )
}
