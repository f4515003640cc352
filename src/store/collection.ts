import type * as z from 'zod'
import type { Driver } from './driver.ts'

/** A record and the version it was read at; `replace` succeeds only while that version still stands. */
export interface Stored<Item> {
  item: Item
  version: number
}

/** Records of one kind, each stored whole as JSON, found by id or by the columns declared for it in `tables.ts`. */
export interface Collection<Item extends { id: string }, Column extends string = string> {
  readonly name: string
  readonly schema: z.ZodType<Item>
  /** The record, or a `not_found` Problem that names it. */
  get(driver: Driver, id: string): Promise<Stored<Item>>
  find(driver: Driver, id: string): Promise<Stored<Item> | null>
  list(driver: Driver, query?: Query<Column>): Promise<Stored<Item>[]>
  count(driver: Driver, where?: Where<Column>): Promise<number>
  /** Refuses an id that is taken with a `conflict` Problem. */
  add(driver: Driver, item: Item): Promise<Stored<Item>>
  /** Compare-and-set: a `conflict` Problem when someone else wrote in between. */
  replace(driver: Driver, was: Stored<Item>, item: Item): Promise<Stored<Item>>
  remove(driver: Driver, was: Stored<Item>): Promise<void>
}

type Scalar = string | number | null
export type Where<Column extends string> = Partial<Record<Column | 'id', Scalar | readonly Scalar[]>>

export interface Query<Column extends string> {
  where?: Where<Column>
  order?: readonly (Column | 'id' | `-${Column}` | '-id')[]
  limit?: number
  offset?: number
}
