import { stepsOf, type Workflow } from '../workflow/workflow.ts'

/** Shorter pieces are ordinary words that anybody may use. */
const PIECE_CHARS = 20

/** The texts of a workflow that only agents read. */
export function hiddenTexts(workflow: Workflow): string[] {
  return stepsOf(workflow).flatMap(({ agentRole = '', guidance = [] }) => [agentRole, ...guidance])
}

/** A text as people may see it: where an agent or a provider quotes what only agents read, a mark is put instead. */
export function maskRoles(text: string, hidden: readonly string[]): string {
  const pieces = hidden.flatMap((role) => [role, ...role.split(/(?<=[.!?])\s+|\n/)]).map((piece) => piece.trim())
  const long = [...new Set(pieces)].filter((piece) => piece.length >= PIECE_CHARS).toSorted((a, b) => b.length - a.length)
  return long.reduce((shown, piece) => (mayHold(shown, piece) ? shown.replaceAll(patternOf(piece), '[for the agent only]') : shown), text)
}

function mayHold(text: string, piece: string): boolean {
  return text.toLowerCase().includes(piece.slice(0, piece.search(/\s|$/)).toLowerCase())
}

function patternOf(piece: string): RegExp {
  const words = piece.split(/\s+/).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(words.join(String.raw`(?:\s|\\n)+`), 'gi')
}
