import * as z from 'zod'
import { resolveInside } from '../../sandbox/files/path.ts'
import { defineTool } from '../gate.ts'
import { filesBelow, ripgrep } from './ripgrep.ts'
import type { ToolContext } from '../tool.ts'

/** So many lines are sorted; a search that finds more is cut unsorted, and says so. */
const COLLECTED = 5_000
const LINE_CHARS = 300

const Search = z.strictObject({
  pattern: z.string().min(1).max(2_000),
  path: z.string().min(1).default('.'),
  glob: z.string().min(1).max(500).optional(),
  literal: z.boolean().default(false).meta({ untold: true }),
  case_sensitive: z.boolean().optional(),
  context_lines: z.int().min(0).max(10).default(0),
  max_results: z.int().min(1).max(500).default(100).meta({ untold: true }),
})

/** Searches the text of files. */
export const searchCodeTool = defineTool({
  name: 'search_code',
  description: 'Search in files by regular expression.',
  required_permissions: ['read_files'],
  input: Search,
  paths: ({ path }) => [path],
  run: async (search, context) => {
    const { lines, complete } = await collect(search, context)
    const sorted = (await withoutSecrets(lines, context)).toSorted((a, b) =>
      a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1,
    )
    const found = sorted.filter((line) => line.matched).length
    const shown = upToMatch(sorted, search.max_results, search.context_lines)
    const total = complete ? found : `more than ${found}`
    const note = `[${Math.min(found, search.max_results)} of ${total} matches shown; narrow the pattern, path or glob]`
    return {
      output:
        found === 0
          ? `nothing matches ${search.pattern}`
          : [...byFile(shown), ...(complete && found <= search.max_results ? [] : [note])].join('\n'),
      details: { pattern: search.pattern, found, complete },
    }
  },
})

interface Line {
  path: string
  line: number
  text: string
  matched: boolean
}

async function collect(search: z.infer<typeof Search>, context: ToolContext): Promise<{ lines: Line[]; complete: boolean }> {
  const wanted = search.glob === undefined ? null : new Set(await filesBelow(context, search.path, search.glob))
  const cases = search.case_sensitive === undefined ? '--smart-case' : search.case_sensitive ? '--case-sensitive' : '--ignore-case'
  const args = [
    '--json',
    cases,
    `--context=${search.context_lines}`,
    ...(search.literal ? ['--fixed-strings'] : []),
    ...(search.glob === undefined ? [] : [`--glob=${search.glob}`]),
    `--regexp=${search.pattern}`,
  ]
  const lines: Line[] = []
  for await (const record of ripgrep(context, search.path, args, '\n')) {
    const line = lineIn(record)
    if (line === null || wanted?.has(line.path) === false) continue
    if (lines.length === COLLECTED) return { lines, complete: false }
    lines.push(line)
  }
  return { lines, complete: true }
}

const Text = z.union([z.object({ text: z.string() }), z.object({ bytes: z.base64() })])
const Found = z.object({
  type: z.enum(['match', 'context']),
  data: z.object({ path: Text, lines: Text, line_number: z.int() }),
})

/** A line that ripgrep found, or null for its other records. */
function lineIn(record: string): Line | null {
  if (!record.startsWith('{"type":"match"') && !record.startsWith('{"type":"context"')) return null
  const { type, data } = Found.parse(JSON.parse(record))
  const text = textOf(data.lines).trimEnd()
  const cut = text.length > LINE_CHARS ? `${text.slice(0, LINE_CHARS)}[… ${text.length - LINE_CHARS} characters cut]` : text
  return { path: textOf(data.path).replace(/^\.\//, ''), line: data.line_number, text: cut, matched: type === 'match' }
}

function textOf(text: z.infer<typeof Text>): string {
  return 'text' in text ? text.text : Buffer.from(text.bytes, 'base64').toString('utf8')
}

/** What no role may read is not found either. Even a count would answer guesses about a secret, one letter at a time. */
async function withoutSecrets(lines: readonly Line[], { root, commands, bounds }: ToolContext): Promise<Line[]> {
  const readable = new Set<string>()
  for (const path of new Set(lines.map((line) => line.path))) {
    const inside = await resolveInside(root, path, { use: 'read', allowedSecrets: commands.allowedSecrets, bounds }).catch(() => null)
    if (inside?.exists === true) readable.add(path) // one whose name is not UTF-8 is not there by the name we have of it
  }
  return lines.filter((line) => readable.has(line.path))
}

/** The lines up to the last match that is shown, with what follows it as context. */
function upToMatch(lines: readonly Line[], most: number, context: number): readonly Line[] {
  const matches = lines.flatMap((line, at) => (line.matched ? [at] : []))
  const last = matches[most - 1]
  if (last === undefined || matches.length === most) return lines
  const after = lines.slice(last + 1, last + 1 + context)
  const next = after.findIndex((line) => line.matched)
  return lines.slice(0, last + 1 + (next === -1 ? after.length : next))
}

function byFile(lines: readonly Line[]): string[] {
  return lines.flatMap((line, at) => {
    const shown = `${line.line}${line.matched ? ':' : '-'} ${line.text}`
    return lines[at - 1]?.path === line.path ? [shown] : [line.path, shown]
  })
}
