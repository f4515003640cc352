import type { RecordOf } from '../domain/board-record.ts'
import type { Task } from '../domain/task.ts'
import type { Shelf } from './desk.ts'
import { recordsOf } from './records.ts'

/** What was said to whoever works on a task next. */
export interface Words {
  human_notes: RecordOf<'human_note'>[]
  handoff: RecordOf<'handoff'> | null
}

/** Everything that was said to whoever works on a task next. */
export async function wordsFor(desk: Shelf, task: Task): Promise<Words> {
  return { human_notes: await notesFor(desk, task), handoff: await handoffOf(desk, task) }
}

/** Words of people for a task, and for everyone, as they were said. */
export function notesFor(desk: Shelf, { id }: Pick<Task, 'id'>): Promise<RecordOf<'human_note'>[]> {
  return recordsOf(desk, 'human_note', [null, id])
}

/** What the last coder left; null once something was submitted since. */
export async function handoffOf(desk: Shelf, { id, history }: Task): Promise<RecordOf<'handoff'> | null> {
  const at = (...names: string[]) => history.findLastIndex(({ event }) => names.includes(event))
  if (at('handoff', 'imported') <= at('submitted_for_review')) return null
  return (await recordsOf(desk, 'handoff', id)).at(-1) ?? null
}
