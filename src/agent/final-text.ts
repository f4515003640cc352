import type { Entry, ToolEntry } from '../domain/entry.ts'
import type { Run } from '../domain/run.ts'
import { withoutSpans } from '../domain/text/json-in-text.ts'
import type { Driver } from '../store/driver.ts'
import { entries } from '../store/run-tables.ts'

/** What a run said last: its answer, when it has completed. */
export async function finalText(driver: Driver, run: Run): Promise<string> {
  return (await latestFirst(driver, run)).find((entry) => entry.from === 'assistant')?.text ?? ''
}

/** The same text without its plans and questions. */
export async function finalProse(driver: Driver, run: Run): Promise<string> {
  const last = (await latestFirst(driver, run)).find((entry) => entry.from === 'assistant')
  return withoutSpans(last?.text ?? '', last?.proposals ?? []).trim()
}

/** What a tool that hands something in answered a run last; null where the run did not call it, or in vain. */
export async function lastAnswer(driver: Driver, run: Run, tool: string): Promise<ToolEntry | null> {
  return (await answersOf(driver, run, tool)).at(-1) ?? null
}

/** Every answer such a tool gave a run, oldest first. */
export async function answersOf(driver: Driver, run: Run, tool: string): Promise<ToolEntry[]> {
  const answers = (await latestFirst(driver, run)).filter((entry) => entry.from === 'tool')
  return answers.filter((answer) => answer.tool === tool && answer.outcome === 'ok').toReversed()
}

/** The note that a run which ended badly leaves in its thread; null where it left none. */
export async function errorNote(driver: Driver, run: Run): Promise<Extract<Entry, { from: 'note' }> | null> {
  const notes = (await latestFirst(driver, run, 20)).filter((entry) => entry.from === 'note')
  return notes.find(({ type }) => type === 'error') ?? null
}

async function latestFirst(driver: Driver, run: Run, limit?: number): Promise<Entry[]> {
  const thread = await entries.items(driver, { where: { thread_id: run.thread_id }, order: ['-number'], limit })
  return thread.filter(({ run_id }) => run_id === run.id)
}
