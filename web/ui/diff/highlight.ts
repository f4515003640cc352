import { common, createLowlight } from 'lowlight'
import { markEdits, tokenize, type ChangeData, type HunkData, type HunkTokens, type TokenNode } from 'react-diff-view'

const lowlight = createLowlight(common)
/** Longer lines are data: coloured, they would hold the page up. */
const LONGEST_LINE_CHARS = 1_000

/** The colours of a part of a file, and the words that differ within its lines. */
export function tokensOf(path: string, block: HunkData): HunkTokens | null {
  if (block.changes.some(({ content }) => content.length > LONGEST_LINE_CHARS)) return null
  const near = { ...block, oldStart: 1, newStart: 1, changes: block.changes.map((change) => moved(change, block, -1)) }
  const language = languageOf(path)
  const enhancers = [markEdits([near], { type: 'block' })]
  const told = tokenize([near], language === null ? { enhancers } : { enhancers, highlight: true, refractor: { highlight }, language })
  return { old: placed(told.old.map(withoutRewrite), block.oldStart), new: placed(told.new.map(withoutRewrite), block.newStart) }
}

/** A line with more of it marked was written anew: marks on nearly all of it point at nothing. */
const MOST_MARKED = 0.6

function withoutRewrite(line: TokenNode[]): TokenNode[] {
  const marked = line.filter(({ type }) => type === 'edit')
  if (chars(marked) <= chars(line) * MOST_MARKED) return line
  return line.flatMap((node) => (node.type === 'edit' ? (node.children ?? []) : [node]))
}

function chars(nodes: readonly TokenNode[]): number {
  return nodes.reduce((sum, node) => sum + textOf(node).trim().length, 0)
}

function textOf(node: TokenNode): string {
  return typeof node['value'] === 'string' ? node['value'] : (node.children ?? []).map(textOf).join('')
}

/** The library asks its usual highlighter, whose answer has this shape. */
function highlight(text: string, language: string) {
  return lowlight.highlight(language, text).children as never // both are hast; its types name another package
}

/** By the name alone: what cannot be told is shown without colours. */
export function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const ending = name.slice(name.lastIndexOf('.') + 1)
  const language = other[ending] ?? ending
  return lowlight.registered(language) ? language : null
}

const other: Record<string, string> = {
  mts: 'ts',
  cts: 'ts',
  dockerfile: 'bash',
  env: 'bash',
  jsonc: 'json',
  json5: 'json',
  vue: 'xml',
  svelte: 'xml',
}

/** The library colours every line from the first on, also those that are far above what is shown. */
function moved(change: ChangeData, { oldStart, newStart }: HunkData, sign: 1 | -1): ChangeData {
  const [old, now] = [sign * (oldStart - 1), sign * (newStart - 1)]
  if (change.type === 'normal') return { ...change, oldLineNumber: change.oldLineNumber + old, newLineNumber: change.newLineNumber + now }
  return { ...change, lineNumber: change.lineNumber + (change.type === 'delete' ? old : now) }
}

function placed<Line>(lines: Line[], start: number): Line[] {
  const sparse: Line[] = []
  lines.forEach((line, at) => (sparse[start - 1 + at] = line))
  return sparse
}
