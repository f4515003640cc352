import { Checkpoint, type FileState, type PathChange } from '../domain/checkpoint.ts'
import { bytesOfText, textOfName } from '../sandbox/files/path-text.ts'
import type { CheckpointFile } from './file.ts'
import { keptHash } from './tree.ts'

/** A checkpoint that has no number yet. */
export type NewCheckpoint = Omit<Checkpoint, 'number' | 'to' | 'done'> & Partial<Pick<Checkpoint, 'to' | 'done'>>

/** Records a checkpoint. Belongs into a transaction. */
export function addFileCheckpoint(file: CheckpointFile, record: NewCheckpoint): number {
  const { thread_id, run_id, call_id, at, kind, to = null, done = true, changes, unkept } = record
  const added = file
    .prepared('insert into checkpoint (thread_id, run_id, call_id, at, kind, "to", done, unkept) values (?, ?, ?, ?, ?, ?, ?, ?)')
    .run(thread_id, run_id, call_id, at, kind, to, done ? 1 : 0, JSON.stringify(unkept))
  const number = Number(added.lastInsertRowid)
  const put = file.prepared('insert into change values (?, ?, ?, ?, ?, ?)')
  for (const { path, before, after } of changes)
    put.run(number, bytesOfText(path), textOf(before), textOf(after), keptHash(before), keptHash(after))
  return number
}

/** The checkpoints of a thread, the oldest first. */
export function checkpointsOf(file: CheckpointFile, threadId: string): Checkpoint[] {
  const rows = file.prepared('select * from checkpoint where thread_id = ? order by number').all(threadId)
  return rows.map((row) =>
    Checkpoint.parse({
      ...row,
      done: row['done'] === 1,
      unkept: JSON.parse(String(row['unkept'])),
      changes: changesOf(file, Number(row['number'])),
    }),
  )
}

/** Forgets the checkpoints of a thread; what they alone kept goes with the next pruning. */
export function removeCheckpoints(file: CheckpointFile, threadId: string): void {
  file.prepared('delete from change where number in (select number from checkpoint where thread_id = ?)').run(threadId)
  file.prepared('delete from checkpoint where thread_id = ?').run(threadId)
}

/** A restore has come to its end. */
export function setDone(file: CheckpointFile, number: number): void {
  file.prepared('update checkpoint set done = 1 where number = ?').run(number)
}

function changesOf(file: CheckpointFile, number: number): PathChange[] {
  const rows = file.prepared('select path, before, after from change where number = ? order by path').all(number)
  return rows.map((row) => ({
    path: textOfName(Buffer.from(row['path'] as Uint8Array)),
    before: stateOf(row['before']),
    after: stateOf(row['after']),
  }))
}

function textOf(state: FileState | null): string | null {
  return state && JSON.stringify(state)
}

function stateOf(text: unknown): FileState | null {
  return typeof text === 'string' ? (JSON.parse(text) as FileState) : null // checked with the rest of its record
}
