import * as z from 'zod'
import { Config } from './schema.ts'
import { mayProjectSet } from './trust.ts'

const HEAD = `# Troupe's settings for this project. They may only tighten what each person has set for themselves;
# the settings in force, and where each came from, are shown by Troupe itself. Take a # away to set a value.`

/**
 * The settings file of a project: every setting a project may make, explained, with an example and switched off.
 * Written from the schema and the rules of trust, so that neither can say something else.
 */
export function projectFile(model: string | null): string {
  const sections = Object.entries(Config.shape).flatMap(([key, schema]) => {
    const lines = settingLines([key], schema)
    return lines.length === 0
      ? []
      : [[`# ${schema.description ?? ''}`, ...(key === 'model' && model !== null ? [`model: ${model}`] : lines)]]
  })
  return `${[HEAD, ...sections.map((lines) => lines.join('\n'))].join('\n\n')}\n`
}

/** `#key: value`, or the key alone and what is inside it below. */
function settingLines(path: readonly string[], schema: z.core.$ZodType): string[] {
  const key = path.at(-1) ?? ''
  const inside = shapeOf(schema)
  if (inside === null) return mayProjectSet(path) ? exampleLines(key, schema, path.length - 1) : []
  const lines = Object.entries(inside).flatMap(([inner, innerSchema]) => settingLines([...path, inner], innerSchema))
  return lines.length === 0 ? [] : [`#${key}:`, ...lines]
}

function exampleLines(key: string, schema: z.core.$ZodType, depth: number): string[] {
  const { description = '', examples } = z.globalRegistry.get(schema) ?? {}
  const [example] = Array.isArray(examples) ? examples : [z.parse(schema, undefined)]
  if (typeof example === 'object') return [`#${key}:`, ...Object.entries(example).map(([name, value]) => `#  ${name}: ${String(value)}`)]
  const remark = depth === 0 ? '' : `  # ${description}`
  return [`#${'  '.repeat(depth)}${key}: ${String(example)}${remark}`]
}

/** The fields of a group of settings; null for a single setting. */
function shapeOf(schema: z.core.$ZodType): Record<string, z.core.$ZodType> | null {
  const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema
  return inner instanceof z.ZodObject ? inner.shape : null
}
