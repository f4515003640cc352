import type { Context as Request, Hono } from 'hono'
import * as z from 'zod'
import { fieldKind, valueFromText } from '../domain/text/field-kind.ts'
import { doorsOf, perform, readInput, type Operation } from '../domain/operation.ts'
import type { Driver } from '../store/driver.ts'
import { dryRun } from '../store/dry-run.ts'
import { jsonOf } from './dispatch.ts'

/** Where the operations of an area are done: what a caller says to name it, and how it is opened. */
export interface HttpArea<Context extends { driver: Driver }> {
  scope: z.ZodRawShape
  open(scope: Record<string, unknown>): Promise<Context>
}

/** The address of an operation, as in `/api/board/unblock_task`. */
export function pathOf({ name }: Pick<Operation, 'name'>): string {
  return `/api/${name.replace('.', '/')}`
}

/** Answers every operation of an area at its own address: POST with JSON, and GET too where it only reads. */
export function addOperations<Context extends { driver: Driver }>(
  app: Hono,
  operations: readonly Operation<string, Context>[],
  area: HttpArea<Context>,
): void {
  for (const operation of operations) {
    if (!doorsOf(operation).includes('http')) continue
    app.post(pathOf(operation), async (c) => answer(c, operation, area, await jsonOf(c)))
    if (operation.effect === 'read')
      app.get(pathOf(operation), async (c) => answer(c, operation, area, fromQuery(operation, area, c.req.query())))
  }
}

async function answer<Context extends { driver: Driver }>(
  c: Request,
  operation: Operation<string, Context>,
  area: HttpArea<Context>,
  given: unknown,
): Promise<Response> {
  const { dry_run = false, ...said } = readInput({ ...operation, input: requestOf(operation, area.scope) }, given)
  const inScope = (name: string) => Object.hasOwn(area.scope, name)
  const scope = Object.fromEntries(Object.entries(said).filter(([name]) => inScope(name)))
  const input = Object.fromEntries(Object.entries(said).filter(([name]) => !inScope(name)))
  const context = await area.open(scope)
  const work = (at: Context) => perform(operation, at, input)
  const output = dry_run === true ? await dryRun(context.driver, (tx) => work({ ...context, driver: tx, dry: true })) : await work(context)
  c.header('cache-control', 'no-store')
  return c.json(output)
}

/** What a caller may send: the input, where it is meant, and whether it is only tried. */
export function requestOf(operation: Operation, scope: z.ZodRawShape): z.ZodObject {
  const tried = doorsOf(operation).includes('dry_run') ? { dry_run: z.boolean().optional() } : {}
  return z.strictObject({ ...operation.input.shape, ...scope, ...tried })
}

function fromQuery(operation: Operation, { scope }: { scope: z.ZodRawShape }, query: Record<string, string>): Record<string, unknown> {
  const shape: Record<string, unknown> = { ...operation.input.shape, ...scope }
  return Object.fromEntries(
    Object.entries(query).map(([name, word]) => {
      const schema = shape[name]
      return [name, schema instanceof z.ZodType ? valueFromText(fieldKind(schema), word) : word]
    }),
  )
}
