import { globSync } from 'node:fs'
import { root } from '../sources.ts'

/** A fenced block of a page. */
export interface Block {
  page: string
  /** Where its first fence stands. */
  line: number
  language: string
  /** The file it is to be saved as, from `file=PATH` after the language. */
  file: string | null
  lines: string[]
  /** The last line of text before it. */
  before: string
}

/** Every page people read: those at the top and all of docs, without the decisions, which tell how things once stood. */
export function pages(): string[] {
  return globSync(['*.md', 'docs/**/*.md'], { cwd: root })
    .filter((page) => !page.startsWith('docs/decisions/'))
    .toSorted()
}

/** The fenced blocks of a page, in order. A block inside a list is taken without its indentation. */
export function blocksOf(page: string, text: string): Block[] {
  const blocks: Block[] = []
  const lines = text.split('\n')
  let open: { block: Block; indent: number; fence: string } | null = null
  for (const [at, line] of lines.entries()) {
    if (open !== null) {
      const own = line.slice(Math.min(open.indent, line.length - line.trimStart().length))
      if (own.trimEnd() === open.fence) open = null
      else open.block.lines.push(own)
      continue
    }
    const fence = /^(\s*)(`{3,})(\S*)\s*(.*)$/.exec(line)
    if (fence === null) continue
    const [, indent = '', ticks = '', language = '', info = ''] = fence
    const before = lines.slice(0, at).findLast((above) => above.trim() !== '') ?? ''
    const block: Block = { page, line: at + 1, language, file: /(?:^|\s)file=(\S+)/.exec(info)?.[1] ?? null, lines: [], before }
    blocks.push(block)
    open = { block, indent: indent.length, fence: ticks }
  }
  return blocks
}
