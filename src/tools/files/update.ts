import * as z from 'zod'
import { Problem } from '../../domain/problem.ts'
import { changeAnswer, describeChange, recoverChange, replaceFile } from './file-change.ts'
import { defineTool } from '../gate.ts'
import { readTextFile } from './text-file.ts'
import type { ToolContext } from '../tool.ts'

/** Changes an existing file by replacing exact text. */
export const updateFileTool = defineTool({
  name: 'update_file',
  description: 'Replace text in a file. old_text, without line numbers, occurs once unless replace_all.',
  required_permissions: ['read_files', 'write_files'],
  input: z.strictObject({
    path: z.string().min(1),
    old_text: z.string().min(1),
    new_text: z.string(),
    replace_all: z.boolean().default(false),
  }),
  paths: ({ path }) => [path],
  changes: 'paths',
  preview: async (input, context) => {
    const { bytes, after } = await updated(input, context)
    return describeChange(input.path, bytes, Buffer.from(after))
  },
  run: async (input, context, previewed) => {
    const { after } = await updated(input, context)
    return changeAnswer('updated', await replaceFile(context, after, previewed))
  },
  recover: (_, previewed, context) => recoverChange(context, previewed, 'updated'),
})

async function updated(input: { path: string; old_text: string; new_text: string; replace_all: boolean }, context: ToolContext) {
  const { bytes, text, faithful } = await readTextFile(context, input.path)
  if (!faithful) {
    throw new Problem('bad_input', `${input.path} is not UTF-8 throughout; writing it back would damage it, so it is left as it is`)
  }
  return { bytes, after: replaceExactly(text, input) }
}

/** More places than this are only counted: the model needs a hint, not a list. */
const PLACES_SHOWN = 10

/** Beyond these lines no hint is looked for: comparing is our own work and must not hold up other runs. */
const LINES_COMPARED = 10_000

interface Replacement {
  path: string
  old_text: string
  new_text: string
  replace_all: boolean
}

/** The text after an exact replacement; a match that is missing or not the only one is refused with what would help to repair it. */
function replaceExactly(text: string, { path, old_text, new_text, replace_all }: Replacement): string {
  if (old_text === new_text) throw new Problem('bad_input', `old_text and new_text are the same, so ${path} would not change`)
  const [wanted, replacement] = withLineEndsOf(text, old_text, new_text)
  const parts = text.split(wanted)
  if (parts.length === 1) {
    throw new Problem('not_found', `old_text does not occur in ${path}. The nearest lines are:\n${nearestLines(text, old_text)}`)
  }
  if (parts.length > 2 && !replace_all) {
    const message = `old_text occurs ${parts.length - 1} times in ${path}, at lines ${linesOfMatches(parts, wanted)}; give more of the text around it, or set replace_all`
    throw new Problem('bad_input', message)
  }
  return parts.join(replacement)
}

/** A model writes plain line ends; in a file that uses CRLF its text means CRLF, and the file keeps it. */
function withLineEndsOf(text: string, old_text: string, new_text: string): [string, string] {
  if (text.includes(old_text) || !text.includes('\r\n') || old_text.includes('\r')) return [old_text, new_text]
  return [old_text.replaceAll('\n', '\r\n'), new_text.replaceAll(/\r?\n/g, '\r\n')]
}

function linesOfMatches(parts: readonly string[], wanted: string): string {
  const lines: number[] = []
  let line = 1
  for (const part of parts.slice(0, Math.min(parts.length - 1, PLACES_SHOWN))) {
    line += breaks(part)
    lines.push(line)
    line += breaks(wanted)
  }
  return `${lines.join(', ')}${parts.length - 1 > PLACES_SHOWN ? ', …' : ''}`
}

function breaks(part: string): number {
  return part.split('\n').length - 1
}

/** The place that looks most like what was looked for, so that the next try can be exact. */
function nearestLines(text: string, old_text: string): string {
  const lines = text.split(/\r?\n/)
  const sought = old_text.split(/\r?\n/)
  const anchor = Math.max(
    0,
    sought.findIndex((line) => line.trim() !== ''),
  )
  const pairs = pairsOf(sought[anchor] ?? '')
  let best = { at: 0, likeness: -1 }
  for (const [at, line] of lines.slice(0, LINES_COMPARED).entries()) {
    const likeness = alike(pairs, pairsOf(line))
    if (likeness > best.likeness) best = { at, likeness }
  }
  const from = Math.max(0, best.at - anchor - 1)
  const shown = lines.slice(from, from + Math.min(sought.length, 20) + 2)
  return shown.map((line, at) => `${from + at + 1}\t${line.slice(0, 500)}`).join('\n')
}

function pairsOf(line: string): Set<string> {
  const plain = line.trim().slice(0, 120)
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, at) => plain.slice(at, at + 2)))
}

function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size + b.size === 0) return 0
  const shared = [...a].filter((pair) => b.has(pair)).length
  return (2 * shared) / (a.size + b.size)
}
