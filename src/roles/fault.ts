import { HIDDEN_CHARACTER } from '../domain/text/hidden-character.ts'
import { Problem } from '../domain/problem.ts'
import { quoted } from '../domain/text/unknown-value.ts'

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

/** As many faults of one kind as a person wants to read about one file. */
export const FAULTS_AT_MOST = 20

/** A fault as one line of text. */
export function faultText({ file, line, field, found, expected }: RoleFault): string {
  return `${file}:${line}: ${field}: found ${found}; expected ${expected}`
}

/** A value as a person may safely see it: short, on one line, and unable to steer a terminal. */
export function show(value: unknown): string {
  return visible(quoted(value))
}

/** Text with its hidden characters written out. */
export function visible(text: string): string {
  return text.replace(new RegExp(HIDDEN_CHARACTER, 'gu'), (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)
}
