import { submissionOf, submissionText } from '../../board/task/submit/submission-checks.ts'
import { earlierWork, lastTakenOver } from '../../board/task/take-over.ts'
import { titleOf } from '../../board/view/cards.ts'
import type { TaskMessages } from '../../board/task/messages.ts'
import type { RecordOf } from '../../domain/board/record.ts'
import { counted } from '../../domain/text/format.ts'
import { whyNotMerged, type TaskRecord } from '../../domain/board/task.ts'
import { visible } from '../../roles/fault.ts'
import { barred, columns, inLine, paint } from '../terminal.ts'

/** One task in one line. */
export function taskLine(task: TaskRecord): string {
  return row({ ...task, title: titleOf(task) }).join('  ')
}

/** A task that was handed in, with what is outside the paths that its scope names. */
export function submittedText(task: TaskRecord): string {
  const { outside_scope } = submissionOf(task)
  const warning = outside_scope.length === 0 ? [] : [`  outside its scope, as the reviewer is told: ${outside_scope.join(', ')}`]
  return [taskLine(task), ...warning].join('\n')
}

/** Tasks as a table. */
export function tasksText(tasks: readonly Row[]): string {
  return tasks.length === 0
    ? 'No tasks yet; add one with troupe board add, or let a planner do it: troupe team --planner.'
    : columns(tasks.map(row))
}

export function taskDetails({ task, ...words }: { task: TaskRecord } & TaskMessages): string {
  const { id, status, description, spec_ref, done_when, scope, depends_on, history } = task
  const facts: [string, string | number | null][] = [
    ['spec', spec_ref],
    ['done when', done_when],
    ['scope', scope],
    ['depends on', depends_on.join(', ')],
    ['assigned to', task.assigned_to],
    ['iteration', task.iteration],
    ['commit', task.review_commit],
    ['reviewing', task.reviewing_by],
    ['rejected', task.rejection_reason],
    ['blocked', task.blocked_reason],
    ['questions', task.blocked_questions.join(' · ')],
    ['failed by', task.failed_by.join(', ')],
    ['merged as', task.merge_commit],
    ...earlierWork(task).map(({ from, ref }): [string, string] => [`work of ${from ?? 'an earlier coder'}`, ref]),
  ]
  return [
    `${paint('bold', id)} ${status}`,
    barred(visible(description)),
    columns(facts.flatMap(([name, value]) => (value === null || value === '' ? [] : [[`  ${name}`, inLine(visible(String(value)))]]))),
    ...notMergedText(task),
    ...wordsText(words),
    ...history.map(({ time, event, agent }) => paint('dim', `  ${time} ${event}${agent === undefined ? '' : ` by ${agent}`}`)),
  ].join('\n')
}

/** What a coder needs to begin. */
export function claimText(task: TaskRecord & TaskMessages & { path: string }): string {
  const { id, iteration, spec_ref, done_when, scope, rejection_reason, path } = task
  return [
    `${paint('bold', id)}, iteration ${iteration}: ${barred(visible(task.description))}`,
    columns([
      ['  worktree', path],
      ['  spec', spec_ref ?? ''],
      ['  done when', inLine(visible(done_when ?? ''))],
      ['  scope', inLine(visible(scope ?? ''))],
    ]),
    ...(rejection_reason === null ? [] : ['Sent back:', visible(rejection_reason)]),
    ...takenOverText(task),
    ...notMergedText(task),
    ...wordsText(task),
    `Commit there, then: troupe board submit ${id}`,
  ].join('\n')
}

type ReviewShown = { task: TaskRecord; spec_hash: string | null; spec_delta: string | null } & TaskMessages

/** What a reviewer needs to begin. */
export function reviewText({ task, spec_hash, spec_delta, ...words }: ReviewShown): string {
  const { id, base_commit, review_commit, spec_ref, done_when } = task
  return [
    `${paint('bold', id)}: ${barred(visible(task.description))}`,
    columns([
      ['  range', `${base_commit}..${review_commit}`],
      ['  done when', inLine(visible(done_when ?? ''))],
      ['  spec', `${spec_ref} (${spec_hash})`],
    ]),
    ...submissionText(task),
    ...(spec_delta === null ? [] : ['The spec changed since the task was made:', visible(spec_delta)]),
    ...(task.rejection_reason === null ? [] : ['Found before:', visible(task.rejection_reason)]),
    ...wordsText(words),
  ].join('\n')
}

/** What another coder left, where the claim brought it along. */
function takenOverText(task: TaskRecord): string[] {
  const taken = lastTakenOver(task)
  if (taken === null) return []
  const { from, ref, commits, conflicts } = taken
  const where = commits === 0 ? `is kept as ${ref}` : `is on the branch (${counted(commits, 'commit')}), and kept as ${ref}`
  const conflict = conflicts.length === 0 ? '' : `; integration conflicts with it in ${conflicts.join(', ')}`
  return [`The work of ${from ?? 'an earlier coder'} ${where}${conflict}`]
}

/** Why the last merge of a task failed; nothing once one went through. */
function notMergedText(task: TaskRecord): string[] {
  if (task.integration_output === null) return []
  return [`Not merged: ${inLine(visible(whyNotMerged(task)))}`, barred(visible(task.integration_output))]
}

function wordsText({ human_notes, handoff }: TaskMessages): string[] {
  return [...(handoff === null ? [] : handoffText(handoff)), ...human_notes.map(({ by, message }) => `Note of ${by}: ${message}`)].map(
    (words) => barred(visible(words)),
  )
}

function handoffText({ agent, summary, next_action, approach, blockers, files_modified, next_steps }: RecordOf<'handoff'>): string[] {
  return [
    `Handed over by ${agent}: ${summary} Next: ${next_action}`,
    ...[approach].filter(Boolean).map((text) => `Approach: ${text}`),
    ...blockers.map((text) => `Blocker: ${text}`),
    ...(files_modified.length === 0 ? [] : [`Changed: ${files_modified.join(', ')}`]),
    ...next_steps.map((text) => `After that: ${text}`),
  ]
}

type Row = Pick<TaskRecord, 'id' | 'status' | 'priority' | 'assigned_to' | 'iteration'> & { title: string }

function row({ id, status, priority, assigned_to, iteration, title }: Row): string[] {
  return [id, status, `p${priority}`, assigned_to ?? '–', iteration === null ? '' : `#${iteration}`, visible(title).slice(0, 80)]
}
