import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { root } from '../sources.ts'
import { code, page, table } from './markdown.ts'
import { branchesOf, fieldsOf, shapeOf, typeText } from './schema-text.ts'

/** Every record of the domain, in the order of the names of their files. */
export async function schemasPage(): Promise<string> {
  const files = readdirSync(join(root, 'src/domain')).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const sections: string[] = []
  for (const file of files) sections.push(...(await recordsIn(file)))
  const published = readdirSync(join(root, 'schemas')).map((file) => `[${file}](../../schemas/${file})`)
  const general = [
    'The records of Troupe, as they stand in files, in the store and on the wire: a field has one name everywhere. *time* is an ISO 8601 time in UTC.',
    `Published as JSON Schema: ${published.join(', ')}.`,
  ].join('\n')
  return page('Schemas', 'the schemas of `src/domain`', [general, ...sections])
}

async function recordsIn(file: string): Promise<string[]> {
  const source = readFileSync(join(root, 'src/domain', file), 'utf8')
  const module = (await import(`../../src/domain/${file}`)) as Record<string, unknown> // any module is a record of its exports
  return Object.entries(module)
    .toSorted(([one], [other]) => source.indexOf(`const ${one} `) - source.indexOf(`const ${other} `))
    .flatMap(([name, schema]) =>
      schema instanceof z.ZodType && /^[A-Z]/.test(name) ? [recordText(name, schema, commentOf(source, name))] : [],
    )
}

function recordText(name: string, schema: z.ZodType, comment: string): string {
  const branches = branchesOf(shapeOf(schema))
  const heading = `### ${name}\n\n${comment}`.trimEnd()
  if (!branches.every((branch) => branch.properties)) return `${heading}\n\n${code(typeText(shapeOf(schema)))}`
  const tables = branches.map((branch) =>
    table(
      ['Field', 'Type', 'Default'],
      fieldsOf(branch).map((field) => [code(field.name), code(field.type), field.default === null ? 'needed' : code(field.default)]),
    ),
  )
  return [heading, ...tables].join('\n\n')
}

/** What the line above the type, or above the schema, says. */
function commentOf(source: string, name: string): string {
  const found = new RegExp(String.raw`/\*\* ([^\n]*) \*/\nexport (?:type|const) ${name}\b`).exec(source)
  return found?.[1] ?? ''
}
