import type * as z from 'zod'
import { Problem } from '../domain/problem.ts'
import type { Driver } from './driver.ts'
import { mustFind } from './must-find.ts'
import { fromJson, toJson } from './record-json.ts'
import { type Query, querySql, type Where, whereSql } from './where.ts'

/** A record and the version it was read at; `replace` succeeds only while that version is still the current one. */
export interface Stored<Item> {
  item: Item
  version: number
}

/** Records of one kind, each stored whole as JSON, found by id or by the columns declared for it in `tables.ts`. */
export interface Collection<Item extends { id: string }, Column extends string = string> {
  readonly name: string
  readonly schema: z.ZodType<Item>
  readonly columns: readonly Column[]
  /** The id a record is stored and found under; usually its own. */
  readonly keyOf: (item: Item) => string
  /** The record, or a `not_found` Problem that names it. */
  get(driver: Driver, id: string): Promise<Stored<Item>>
  find(driver: Driver, id: string): Promise<Stored<Item> | null>
  /** The record in a row that a statement of one's own has found. */
  read(row: Row): Stored<Item>
  /** A row that does not fit the schema is left out and reported through `driver.warn`: one damaged record must not hide the others. */
  list(driver: Driver, query?: Query<Column>): Promise<Stored<Item>[]>
  /** The same without their versions, for those who only look. */
  items(driver: Driver, query?: Query<Column>): Promise<Item[]>
  count(driver: Driver, where?: Where<Column>): Promise<number>
  /** Refuses an id that is taken with a `conflict` Problem. */
  add(driver: Driver, item: Item): Promise<Stored<Item>>
  /** Compare-and-set: a `conflict` Problem when someone else wrote in between. */
  replace(driver: Driver, was: Stored<Item>, item: Item): Promise<Stored<Item>>
  remove(driver: Driver, was: Stored<Item>): Promise<void>
  /** Refuses like `replace` when someone else wrote in between, and writes nothing itself: for writes that rest on this record. */
  confirm(driver: Driver, was: Stored<Item>): Promise<void>
}

/**
 * Declares a collection. Its table, and the triggers that log every change of it, come from `migrations.ts`.
 * Where the id of a record is unique only within something larger, `keyOf` gives the id it is stored and found under.
 */
export function defineCollection<Item extends { id: string }, const Column extends keyof Item & string>(
  name: string,
  schema: z.ZodType<Item>,
  columns: readonly Column[],
  keyOf: (item: Item) => string = ({ id }) => id,
): Collection<Item, Column> {
  const named = { name, schema, keyOf }
  return { ...named, columns, ...reading(named, columns), ...writing(named) }
}

function reading<Item extends { id: string }, Column extends string>(named: Named<Item>, columns: readonly Column[]) {
  const { name } = named
  const read = (row: Row) => ({ item: parseRow(named, row), version: row.version })

  async function find(driver: Driver, id: string): Promise<Stored<Item> | null> {
    const [row] = await driver.query<Row>(`select id, version, data from "${name}" where id = $1`, [id])
    return row === undefined ? null : read(row)
  }

  async function get(driver: Driver, id: string): Promise<Stored<Item>> {
    const found = await find(driver, id)
    if (found === null) throw new Problem('not_found', `there is no ${nounOf(name)} ${id}`, { details: { collection: name, id } })
    return found
  }

  async function list(driver: Driver, query: Query<Column> = {}): Promise<Stored<Item>[]> {
    const params: unknown[] = []
    const rows = await driver.query<Row>(`select id, version, data from "${name}" ${querySql(columns, query, params)}`, params)
    return rows.flatMap((row) => readOrWarn(driver, read, row))
  }

  async function count(driver: Driver, where: Where<Column> = {}): Promise<number> {
    const params: unknown[] = []
    const [row] = await driver.query<{ count: number }>(
      `select count(*) as count from "${name}" ${whereSql(columns, where, params)}`,
      params,
    )
    return row?.count ?? 0
  }

  const items = async (driver: Driver, query?: Query<Column>) => (await list(driver, query)).map(({ item }) => item)
  return { find, get, list, items, count, read }
}

function writing<Item extends { id: string }>(named: Named<Item>) {
  const { name, keyOf } = named

  async function add(driver: Driver, item: Item): Promise<Stored<Item>> {
    const fitting = mustFit(named, item)
    const sql = `insert into "${name}" (id, data) values ($1, $2) on conflict (id) do nothing returning version`
    const id = keyOf(fitting)
    await mustFind(driver, sql, [id, toJson(fitting)], () => conflict(name, id, 'is there already'))
    return { item: fitting, version: 1 }
  }

  async function replace(driver: Driver, was: Stored<Item>, item: Item): Promise<Stored<Item>> {
    const id = keyOf(was.item)
    if (keyOf(item) !== id) throw new Problem('internal', `${id} in ${name} cannot become ${keyOf(item)}: an id never changes`)
    const fitting = mustFit(named, item)
    const sql = `update "${name}" set data = $1, version = version + 1 where id = $2 and version = $3 returning version`
    await mustFind(driver, sql, [toJson(fitting), id, was.version], () => outdated(name, was))
    return { item: fitting, version: was.version + 1 }
  }

  async function remove(driver: Driver, was: Stored<Item>): Promise<void> {
    const id = keyOf(was.item)
    const sql = `delete from "${name}" where id = $1 and version = $2 returning id`
    await mustFind(driver, sql, [id, was.version], () => outdated(name, was))
  }

  async function confirm(driver: Driver, was: Stored<Item>): Promise<void> {
    const sql = `select version from "${name}" where id = $1 and version = $2`
    await mustFind(driver, sql, [keyOf(was.item), was.version], () => outdated(name, was))
  }

  return { add, replace, remove, confirm }
}

/** A record as it is in its table. */
export interface Row {
  id: string
  version: number
  data: string
}

type Named<Item extends { id: string }> = Pick<Collection<Item>, 'name' | 'schema' | 'keyOf'>

function readOrWarn<Item>(driver: Driver, read: (row: Row) => Stored<Item>, row: Row): Stored<Item>[] {
  try {
    return [read(row)]
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    driver.warn(error)
    return []
  }
}

function parseRow<Item extends { id: string }>(collection: Named<Item>, row: Row): Item {
  const parsed = collection.schema.safeParse(jsonOrNothing(row.data))
  if (parsed.success) return parsed.data
  throw misfit(
    'internal',
    `${row.id} in ${collection.name} is stored in a form this program cannot read`,
    collection.name,
    row.id,
    parsed.error,
  )
}

/** Refused here, at the writer who made the mistake, rather than at every later reader. */
function mustFit<Item extends { id: string }>(collection: Named<Item>, item: Item): Item {
  const parsed = collection.schema.safeParse(item)
  if (parsed.success) return parsed.data
  const id = collection.keyOf(item)
  throw misfit('bad_input', `${id} cannot be stored in ${collection.name}`, collection.name, id, parsed.error)
}

function misfit(code: 'internal' | 'bad_input', what: string, collection: string, id: string, error: z.ZodError): Problem {
  const issues = error.issues.map((issue) => ({ field: issue.path.join('.') || '(whole record)', message: issue.message }))
  const reasons = issues.map((issue) => `${issue.field}: ${issue.message}`).join('; ')
  return new Problem(code, `${what}: ${reasons}`, { details: { collection, id, issues } })
}

function outdated(collection: string, { item, version }: Stored<{ id: string }>): Problem {
  return conflict(collection, item.id, `is no longer at version ${version}: someone else changed or removed it`)
}

function conflict(collection: string, id: string, what: string): Problem {
  return new Problem('conflict', `${id} in ${collection} ${what}`, { details: { collection, id } })
}

/** Text that is not JSON at all fails the schema like any other misfit. */
function jsonOrNothing(json: string): unknown {
  try {
    return fromJson(json)
  } catch {
    return undefined
  }
}

/** What one record of a table is called: `workflow_runs` holds each `workflow run`. */
function nounOf(table: string): string {
  return table.replaceAll('_', ' ').replace(/ies$/, 'y').replace(/s$/, '')
}
