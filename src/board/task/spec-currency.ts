import { Problem } from '../../domain/problem.ts'
import { boardRecords } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import type { BoardRef } from '../desk.ts'
import { addOnce } from '../records.ts'
import { specDelta, type SpecText } from '../goal/spec.ts'
import type { TaskEntry, TaskPlanning, TaskPlan } from '../../domain/board/task.ts'

/** What of a task says which spec it is held against. */
type SpecTask = TaskEntry & TaskPlan & TaskPlanning

/** How the spec of a task changed since the task was made, null when it did not; logged once for each new text. */
export async function noticeSpecChange({ driver, board_id }: BoardRef, task: SpecTask, spec: SpecText | null): Promise<string | null> {
  const { id, spec_ref, spec_hash: was } = task
  const now = spec?.spec_hash ?? null
  if (spec_ref === null || was === null || now === was) return null
  await driver.transaction(async (tx) => {
    const anomaly = { kind: 'anomaly', task: id, reporter: 'supervisor', type: 'spec_changed', details: { spec_ref, was, now } } as const
    if (!(await addOnce(tx, board_id, recordName(id, now), anomaly))) return
    const detail = `${spec_ref} changed since the task was made`
    await recordActivity(tx, board_id, { agent: 'supervisor', action: 'spec_changed', task: id, detail })
  })
  return specDelta(driver, board_id, spec_ref, was, spec)
}

/** The hash of the text a reviewer knows: what the spec says now, unless nobody has noticed yet that it says something else. */
export async function knownSpec({ driver, board_id }: BoardRef, task: SpecTask, spec: SpecText | null): Promise<string | null> {
  const now = spec?.spec_hash ?? null
  if (task.spec_hash === null || now === task.spec_hash) return now
  const noticed = await boardRecords.find(driver, `${board_id}/${recordName(task.id, now)}`)
  return noticed === null ? task.spec_hash : now
}

/** Whether an approval that names a text of the spec names another than there is; a spec that is gone cannot be held against anything. */
export function isOtherSpec({ spec_hash }: TaskPlanning, spec: SpecText | null, named: string | null): boolean {
  return spec === null ? spec_hash !== null : spec.spec_hash !== named
}

/** The refusal of such an approval, with what the reviewer has to read. */
export async function staleSpec(shelf: BoardRef, task: SpecTask, spec: SpecText | null): Promise<Problem> {
  const delta = await noticeSpecChange(shelf, task, spec)
  if (spec === null) return new Problem('conflict', `${task.spec_ref} is gone; bring it back, or reject the work and have it planned anew`)
  const { spec_hash } = spec
  const news = delta === null ? '' : `. It changed since the task was made:\n${delta}`
  const message = `${task.spec_ref} is not what the work was held against; read it again and approve with its spec_hash ${spec_hash}${news}`
  return new Problem('conflict', message, { details: { spec_hash } })
}

function recordName(taskId: string, now: string | null): string {
  return `spec_changed/${taskId}/${now}`
}
