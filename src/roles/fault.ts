import { Problem } from '../domain/problem.ts'

/** One thing wrong with one role file: where, what was found, and what would have been right. */
export interface RoleFault {
  file: string
  line: number
  field: string
  found: string
  expected: string
}

/** Every fault of every file in one refusal, so that a person repairs them in one go. */
export function faultsProblem(faults: readonly RoleFault[]): Problem {
  const [only] = faults
  const message =
    faults.length === 1 && only !== undefined
      ? faultText(only)
      : `${faults.length} faults in role files:\n${faults.map((fault) => `  ${faultText(fault)}`).join('\n')}`
  return new Problem('bad_input', message, { details: { faults } })
}

/** A fault as one line of text. */
export function faultText({ file, line, field, found, expected }: RoleFault): string {
  return `${file}:${line}: ${field}: found ${found}; expected ${expected}`
}

/** A value as a person may safely see it: short, on one line, and unable to steer a terminal. */
export function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = visible(JSON.stringify(value) ?? typeof value)
  return text.length > 80 ? `${text.slice(0, 77)}...` : text
}

/** Control characters and text-direction marks, which a file from a stranger could use to hide what it says. */
export const HIDDEN_CHARACTERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

/** Text with its hidden characters written out. */
export function visible(text: string): string {
  const all = new RegExp(HIDDEN_CHARACTERS, 'g')
  return text.replace(all, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The known word that is nearest to a misspelt one, or nothing when none is near. */
export function closest(word: string, known: readonly string[]): string | undefined {
  if (word.length > 64) return undefined
  const near = known.map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
  const [best] = near.toSorted((a, b) => a.distance - b.distance)
  return best !== undefined && best.distance <= Math.max(2, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [i, char] of [...from].entries()) {
    const above = row
    row = [i + 1]
    for (const [j, other] of [...to].entries()) {
      row.push(Math.min((above[j] ?? 0) + (char === other ? 0 : 1), (above[j + 1] ?? 0) + 1, (row[j] ?? 0) + 1))
    }
  }
  return row.at(-1) ?? 0
}
