import * as z from 'zod'
import type { TaskEventName } from '../../domain/board/event.ts'
import { RecordKinds, type RecordOf } from '../../domain/board/record.ts'
import type { BoardRef } from '../context.ts'
import { recordsOf } from '../records.ts'
import type { TaskEntry } from '../../domain/board/task.ts'

/** What was said to the one who works on a task next. */
export type TaskMessages = z.infer<typeof TaskMessages>
export const TaskMessages = z.object({ human_notes: z.array(RecordKinds.human_note), handoff: RecordKinds.handoff.nullable() })

/** Everything that was said to the one who works on a task next. */
export async function messagesFor(board: BoardRef, task: TaskEntry): Promise<TaskMessages> {
  return { human_notes: await notesFor(board, task), handoff: await handoffOf(board, task) }
}

/** Words of people for a task, and for everyone, as they were said. */
export function notesFor(board: BoardRef, { id }: Pick<TaskEntry, 'id'>): Promise<RecordOf<'human_note'>[]> {
  return recordsOf(board, 'human_note', [null, id])
}

/** What the last coder left; null once something was submitted since. */
export async function handoffOf(board: BoardRef, { id, history }: TaskEntry): Promise<RecordOf<'handoff'> | null> {
  const at = (...names: TaskEventName[]) => history.findLastIndex(({ event }) => names.includes(event))
  if (at('handoff', 'imported') <= at('submitted_for_review')) return null
  return (await recordsOf(board, 'handoff', id)).at(-1) ?? null
}
