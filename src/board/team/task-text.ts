import type { TaskEventName } from '../../domain/board/event.ts'
import type { RecordOf } from '../../domain/board/record.ts'
import { boardKey } from '../../domain/board/board.ts'
import { counted } from '../../domain/text/format.ts'
import { worktreeOf, type Task, type TaskEntry, type TaskPlan, type TaskGit } from '../../domain/board/task.ts'
import { tasks } from '../../store/tables.ts'
import { gitText } from '../../worktrees/repository.ts'
import type { BoardRepository } from '../context.ts'
import { boardOf } from '../find.ts'
import { readSpec, type SpecText } from '../goal/spec.ts'
import { lastTakenOver } from '../task/take-over.ts'
import { integrationSeen } from '../goal/take-in.ts'
import { handoffOf, notesFor } from '../task/messages.ts'

/** A spec is read in full by its reader; in a prompt it stands as long as it is not longer than this. */
const SPEC_CHARS = 12_000
const OUTPUT_CHARS = 6_000

/** What everyone who works on a task is told of it. */
export async function assignmentText(board: BoardRepository, task: Task): Promise<string> {
  const { id, description, kind, priority, iteration, done_when, scope, spec_ref } = task
  return [
    line('TASK ID', id),
    line('DESCRIPTION', description),
    line('KIND', `${kind}${kind === 'code' ? ' (tests belong to it)' : ' (no tests required)'}, priority ${priority}`),
    line('ITERATION', String(iteration ?? 1)),
    line('DONE WHEN', done_when ?? 'not stated'),
    line('SCOPE', scope ?? 'not stated'),
    line('SPEC', spec_ref ?? 'none'),
    await specText(board, spec_ref),
    await dependencyText(board, task),
    await notesText(board, task),
  ]
    .filter((part) => part !== '')
    .join('\n')
}

/** What the last coder left for the next one, and what went wrong when the work was merged. */
export async function leftoverText(board: BoardRepository, task: Task): Promise<string> {
  const at = (...names: TaskEventName[]) => task.history.findLastIndex(({ event }) => names.includes(event))
  const handoff = await handoffOf(board, task)
  const { config } = await boardOf(board)
  return [
    handoff === null ? '' : handoffText(handoff),
    await earlierText(board, task, config.integration_branch),
    at('reclaimed_after_expiry', 'coder_claim_released') > at('submitted_for_review')
      ? 'An earlier attempt was cut off. Look at what is in the worktree before you continue.'
      : '',
    task.integration_fix && task.integration_output !== null
      ? `INTEGRATION FAILED: the approved work could not be merged. Call update_from_integration, settle what it names, run the tests, commit and submit again.\n${task.integration_output.slice(-OUTPUT_CHARS)}`
      : '',
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const COMMITS_NAMED = 20

/** What another coder left, as it was brought along when this one claimed the task. */
async function earlierText({ repository }: BoardRepository, task: Task, integration: string): Promise<string> {
  const taken = lastTakenOver(task)
  if (taken === null) return ''
  const { from, ref, commit, commits, uncommitted, conflicts } = taken
  const listed = commits === 0 ? '' : await commitsOf(repository.root, task)
  return [
    commits === 0
      ? `EARLIER WORK of ${from} is not in your worktree; it is kept as ${ref} (${commit}).`
      : `EARLIER WORK: your branch starts from ${counted(commits, 'commit')} of ${from}. Go on from there:\n${listed}`,
    uncommitted === 'restored' ? `Files that ${from} had not committed are in your worktree.` : '',
    uncommitted === 'kept' && commits > 0 ? `Files that ${from} had not committed do not fit; they are kept as ${ref} (${commit}).` : '',
    conflicts.length === 0
      ? ''
      : `${integration} has changed since and conflicts with it in ${conflicts.join(', ')}. Call update_from_integration and settle these files.`,
  ]
    .filter((part) => part !== '')
    .join('\n')
}

async function commitsOf(root: string, { id, base_commit }: TaskEntry & TaskGit): Promise<string> {
  const range = `${base_commit}..refs/heads/${worktreeOf(id).branch}`
  return gitText(root, ['log', '--no-merges', `--max-count=${COMMITS_NAMED}`, '--format=- %H %s', range]).catch(() => '')
}

function handoffText({ agent, summary, next_action, approach, blockers, files_modified, next_steps }: RecordOf<'handoff'>): string {
  return [
    `HANDOFF from ${agent}: ${summary}`,
    `NEXT ACTION: ${next_action}`,
    approach,
    ...blockers.map((blocker) => `IN THE WAY: ${blocker}`),
    ...(files_modified.length === 0 ? [] : [`CHANGED: ${files_modified.join(', ')}`]),
    ...next_steps,
  ]
    .filter(Boolean)
    .join('\n')
}

async function specText(board: BoardRepository, specRef: string | null): Promise<string> {
  const spec = await readSpec(board.repository, await integrationSeen(board), specRef)
  return spec === null ? '' : `SPEC TEXT:\n${inPrompt(spec, SPEC_CHARS)}`
}

/** As much of a spec as has room in a prompt. */
export function inPrompt({ text }: SpecText, chars: number): string {
  return text.length > chars ? `${text.slice(0, chars)}\n[cut here; read the file for the rest]` : text.trim()
}

async function dependencyText({ driver, board_id }: BoardRepository, { depends_on }: TaskPlan): Promise<string> {
  if (depends_on.length === 0) return ''
  const found = await tasks.items(driver, { where: { id: depends_on.map((id) => boardKey({ board_id, id })) } })
  return ['DEPENDS ON:', ...found.map(({ id, status, description }) => `- ${id} (${status}): ${description}`)].join('\n')
}

async function notesText(board: BoardRepository, task: TaskEntry): Promise<string> {
  const notes = await notesFor(board, task)
  return notes.length === 0 ? '' : ['NOTES:', ...notes.map(({ by, message }) => `- ${by}: ${message}`)].join('\n')
}

function line(name: string, text: string): string {
  return `${name}: ${text}`
}
