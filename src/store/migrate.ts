import { Problem } from '../domain/problem.ts'
import type { Driver } from './driver.ts'
import type { Migration } from './migrations.ts'
import { createSchemaBuilder } from './schema-builder.ts'

/**
 * Brings a store up to date. Whichever process comes first does it, in one transaction; the others find it done.
 * A store that knows migrations this program does not is refused before anything is written to it.
 */
export async function migrate(driver: Driver, migrations: readonly Migration[]): Promise<void> {
  if ((await pending(driver, migrations)).length === 0) return

  const build = createSchemaBuilder(driver.kind)
  // Readers and the one writer do not wait for each other in this mode; the file remembers it.
  if (driver.kind === 'sqlite') await driver.query('pragma journal_mode = wal')
  await driver.transaction(async (tx) => {
    await tx.query('create table if not exists migrations (number integer primary key, name text not null, at text not null)')
    const at = (await tx.now()).toISOString()
    for (const migration of await pending(tx, migrations)) {
      for (const statement of migration.up(build)) await tx.query(statement)
      await tx.query('insert into migrations (number, name, at) values ($1, $2, $3)', [
        migrations.indexOf(migration) + 1,
        migration.name,
        at,
      ])
    }
  })
}

/** The migrations a store has not seen yet. */
export async function pending(driver: Driver, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = await appliedNames(driver)
  const unknown = applied.filter((name) => !migrations.some((migration) => migration.name === name))
  if (unknown.length > 0) {
    const message = `the store was written by a newer Troupe (it has ${unknown.join(', ')}); use that version, or name another store`
    throw new Problem('store_newer', message, { details: { unknown } })
  }
  return migrations.filter((migration) => !applied.includes(migration.name))
}

async function appliedNames(driver: Driver): Promise<string[]> {
  const [table] = await driver.query<{ present: unknown }>(tableExists[driver.kind])
  if (table === undefined || table.present === null) return []
  const rows = await driver.query<{ name: string }>('select name from migrations order by number')
  return rows.map((row) => row.name)
}

const tableExists = {
  sqlite: "select name as present from sqlite_schema where type = 'table' and name = 'migrations'",
  postgres: "select to_regclass('migrations')::text as present",
}
