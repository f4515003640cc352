import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { domainFiles, root, textOf } from '../sources.ts'
import { code, page, table } from './markdown.ts'
import { branchesOf, fieldsOf, shapeOf, typeText, type Shape } from './schema-text.ts'

interface Named {
  name: string
  shape: Shape
}

/** Every record of the domain, in the order of the names of their files. */
export async function schemasPage(): Promise<string> {
  const sections: string[] = []
  for (const file of domainFiles()) sections.push(...(await recordsIn(file)))
  const published = readdirSync(join(root, 'schemas')).map((file) => `[${file}](../../schemas/${file})`)
  const general = [
    'The records of Troupe, as they stand in files, in the store and on the wire: a field has one name everywhere. *time* is an ISO 8601 time in UTC.',
    `Published as JSON Schema: ${published.join(', ')}.`,
  ].join('\n')
  return page('Schemas', 'the schemas of `src/domain`', [general, ...sections])
}

async function recordsIn(file: string): Promise<string[]> {
  const source = textOf(`src/domain/${file}`)
  const module = (await import(`../../src/domain/${file}`)) as Record<string, unknown> // any module is a record of its exports
  const records: Named[] = Object.entries(module)
    .toSorted(([one], [other]) => source.indexOf(`const ${one} `) - source.indexOf(`const ${other} `))
    .flatMap(([name, schema]) => (schema instanceof z.ZodType && /^[A-Z]/.test(name) ? [{ name, shape: shapeOf(schema) }] : []))
  return records.map((record, at) => {
    const heading = `### ${record.name}\n\n${commentOf(source, record.name)}`.trimEnd()
    return [heading, ...bodyOf(record, records.slice(0, at))].join('\n\n')
  })
}

function bodyOf({ name, shape }: Named, earlier: readonly Named[]): string[] {
  if (name === 'RunEvent') return ['Its fields stand among the [events](events.md#of-a-run).']
  const branches = branchesOf(shape)
  if (!branches.every((branch) => branch.properties)) return [code(typeText(shape))]
  const [rows = [], ...others] = branches.map(rowsOf)
  return others.length > 0 ? unionText(rows, others) : recordText(rows, earlier)
}

/** A record that holds a whole earlier one says so instead of telling its fields again. */
function recordText(rows: readonly string[][], earlier: readonly Named[]): string[] {
  const part = earlier.find(({ shape }) => rowsOf(shape).length > 3 && rowsOf(shape).every(isIn(rows)))
  if (part === undefined) return [fieldTable(rows)]
  const own = rows.filter((row) => !isIn(rowsOf(part.shape))(row))
  const fields = `The fields of [${part.name}](#${part.name.toLowerCase()})`
  return own.length === 0 ? [`${fields}.`] : [`${fields}, and:`, fieldTable(own)]
}

/** What every branch has is told once, before what each has of its own. */
function unionText(first: readonly string[][], others: readonly string[][][]): string[] {
  const common = first.filter((row) => others.every((rows) => isIn(rows)(row)))
  const own = [first, ...others].map((rows) => fieldTable(rows.filter((row) => !isIn(common)(row))))
  return common.length === 0 ? own : ['Each has:', fieldTable(common), 'and is one of these:', ...own]
}

function rowsOf(shape: Shape): string[][] {
  return fieldsOf(shape).map((field) => [code(field.name), code(field.type), field.default === null ? 'needed' : code(field.default)])
}

function isIn(rows: readonly string[][]): (row: readonly string[]) => boolean {
  return (row) => rows.some((other) => other.join() === row.join())
}

function fieldTable(rows: readonly string[][]): string {
  return table(['Field', 'Type', 'Default'], rows)
}

/** What the line above the type, or above the schema, says. */
function commentOf(source: string, name: string): string {
  const found = new RegExp(String.raw`/\*\* ([^\n]*) \*/\nexport (?:type|const) ${name}\b`).exec(source)
  return found?.[1] ?? ''
}
