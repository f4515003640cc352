import * as z from 'zod'
import { attachmentKind, mediaTypeOf, type MediaType } from '../../domain/attachment.ts'
import { Problem } from '../../domain/problem.ts'
import { readAttachment } from '../../store/attachments.ts'
import { defineTool } from '../gate.ts'
import type { ToolAnswer, ToolContext } from '../tool.ts'
import { asText, readBytes } from './text-file.ts'

const LINES = 2_000
const LINE_CHARS = 2_000
const OUTPUT_CHARS = 80_000

/** Shows a text file, or a range of its lines. */
export const readFileTool = defineTool({
  name: 'read_file',
  description: 'Read a file: text, with a number and a tab before each line, an image or a PDF.',
  required_permissions: ['read_files'],
  input: z.strictObject({
    path: z.string().min(1),
    start_line: z.int().positive().optional(),
    end_line: z.int().positive().optional(),
  }),
  paths: ({ path }) => [path],
  run: async ({ path, start_line = 1, end_line }, context) => {
    if (end_line !== undefined && end_line < start_line) {
      throw new Problem('bad_input', `end_line ${end_line} is before start_line ${start_line}`)
    }
    const bytes = await readBytes(context, path)
    const media_type = mediaTypeOf(bytes)
    if (media_type !== null) return showFile(context, path, { media_type, bytes })
    const { text, faithful } = asText(path, bytes)
    const lines = linesOf(text)
    if (start_line > Math.max(lines.length, 1))
      throw new Problem('bad_input', `${path} has ${lines.length} lines; start_line ${start_line} is past its end`)
    const shown = fitting(lines.slice(start_line - 1, end_line), start_line)
    const last = start_line + shown.length - 1
    const wanted = Math.min(end_line ?? lines.length, lines.length)
    const notes = [
      ...(lines.length === 0 ? ['the file is empty'] : []),
      ...(last < wanted ? [`lines ${start_line} to ${last} of ${lines.length} shown; continue with start_line ${last + 1}`] : []),
      ...(faithful ? [] : ['some bytes are not UTF-8 and are shown as \uFFFD']),
    ]
    return {
      output: [...shown, ...notes.map((note) => `[${note}]`)].join('\n'),
      details: { path, start_line, end_line: last, lines: lines.length, bytes: bytes.length },
    }
  },
})

/** An image or a PDF, to a model that takes it. */
function showFile({ takes = [] }: ToolContext, path: string, { media_type, bytes }: { media_type: MediaType; bytes: Buffer }): ToolAnswer {
  const kind = attachmentKind({ media_type })
  if (!takes.includes(kind))
    throw new Problem(
      'bad_input',
      `${path} is ${kind === 'pdf' ? 'a PDF' : 'an image'} of ${bytes.length} bytes, and this model is not known to take one`,
    )
  const file = { name: path, data: bytes.toString('base64') }
  readAttachment(file)
  return {
    output: `${path} (${media_type}, ${bytes.length} bytes) is shown below`,
    details: { path, media_type, bytes: bytes.length },
    shows: [file],
  }
}

/** The lines of a text; a line break at the end closes the last line and starts no other. */
function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** As many numbered lines as fit into one answer. */
function fitting(lines: readonly string[], first: number): string[] {
  const shown: string[] = []
  let chars = 0
  for (const [at, line] of lines.slice(0, LINES).entries()) {
    const cut = line.length - LINE_CHARS
    const numbered = `${first + at}\t${cut > 0 ? `${line.slice(0, LINE_CHARS)}[… ${cut} characters cut]` : line}`
    chars += numbered.length + 1
    if (chars > OUTPUT_CHARS) break
    shown.push(numbered)
  }
  return shown
}
