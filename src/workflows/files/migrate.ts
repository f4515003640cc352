import { isRecord } from '../../domain/text/unknown-value.ts'

/** What became of one step. */
interface MigrationNote {
  step: string
  note: string
}

/**
 * Splits the prompts of an old workflow that tell the agent how to behave into `prompt` and `agentRole`.
 * Works on what was parsed, not on a checked workflow: a file that is out of date must be readable to be brought up to date.
 */
export function migrateWorkflow(value: unknown): { value: unknown; notes: MigrationNote[] } {
  const notes: MigrationNote[] = []
  if (!isRecord(value) || !Array.isArray(value['steps'])) return { value, notes }
  return { value: { ...value, steps: value['steps'].map((step: unknown) => migrateStep(step, notes)) }, notes }
}

type Fields = Record<string, unknown>

function migrateStep(step: unknown, notes: MigrationNote[]): unknown {
  if (!isRecord(step)) return step
  if (Array.isArray(step['body'])) return { ...step, body: step['body'].map((inner: unknown) => migrateStep(inner, notes)) }
  const { id, prompt, agentRole } = step
  const split = typeof prompt === 'string' ? splitPrompt(prompt) : null
  if (split === null) return step
  const note = (text: string) => void notes.push({ step: typeof id === 'string' ? id : '(no id)', note: text })
  const left = whyLeft(split, agentRole)
  if (left !== null) {
    note(`left as it is: ${left}`)
    return step
  }
  note('the role was moved out of the prompt')
  return withRoleAfterPrompt(step, split)
}

interface Split {
  prompt: string
  agentRole: string
}

/** "**Agent's Role:** …", "Agent Role: …" or a heading of that name, up to the next empty line. */
const ROLE =
  /(?:^|\n)[ \t]*(?:#{1,6}[ \t]*)?\**[ \t]*agent(?:[’']s)?[ \t]+role[ \t]*:?[ \t]*\**:?[ \t]*\n?([^\n]+(?:\n[^\n]+)*)(?:\n[ \t]*\n|\n?$)/i

/** A prompt that tells the agent how to behave, taken apart; null where it holds no role. */
export function splitPrompt(prompt: string): Split | null {
  const found = ROLE.exec(prompt)
  if (found === null) return null
  const rest = `${prompt.slice(0, found.index)}\n\n${prompt.slice(found.index + found[0].length)}`
  return { prompt: rest.replaceAll(/\n{3,}/g, '\n\n').trim(), agentRole: (found[1] ?? '').trim() }
}

function whyLeft({ prompt, agentRole }: Split, present: unknown): string | null {
  const { length } = Array.from(agentRole)
  if (present !== undefined) return 'the step has an agentRole already; join the two by hand'
  if (prompt === '') return 'the prompt holds nothing but the role; write what people should read'
  if (length < 10) return `the role has ${length} characters, at least 10 are needed`
  return length > 1024 ? `the role has ${length} characters, at most 1024 fit; shorten it` : null
}

/** The two parts stand where the prompt stood. */
function withRoleAfterPrompt(step: Fields, split: Split): Fields {
  return Object.fromEntries(Object.entries(step).flatMap(([key, value]) => (key === 'prompt' ? Object.entries(split) : [[key, value]])))
}
