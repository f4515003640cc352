import { createInterface } from 'node:readline/promises'
import { counted } from '../domain/counted.ts'
import { Problem } from '../domain/problem.ts'
import type { Survey } from './survey.ts'

/** What a person decides about a new project. */
export interface Answers {
  /** For everyone who works here; null leaves it to each of them. */
  model: string | null
  import: boolean
  share: boolean
}

/** Asks what was not said on the command line and matters here: at most three questions, each answered by Enter. */
export async function askPerson({ git, roles, model }: Survey, given: Partial<Answers>): Promise<Answers> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const ask = async (question: string) => (await terminal.question(`${question} `).catch(unanswered)).trim()
  const yes = async (question: string) => !/^n/i.test(await ask(`${question} [Y/n]`))
  const ready = roles.filter(({ text }) => text !== null)
  try {
    return {
      model: given.model ?? ((await ask(`Which model should play here, as provider/model? [each person's own; yours: ${model}]`)) || null),
      import:
        given.import ??
        (ready.length > 0 &&
          (await yes(`Take over ${counted(ready.length, 'role')} of other tools? They only read until you trust them.`))),
      share: given.share ?? (git.top === null || (await yes('Share settings and roles in .troupe with the code, through git?'))),
    }
  } finally {
    terminal.close()
  }
}

/** Ctrl+C or Ctrl+D instead of an answer. */
function unanswered(cause: unknown): never {
  throw new Problem('stopped', 'stopped before anything was written', { cause })
}
