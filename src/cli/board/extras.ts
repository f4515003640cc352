import { problems, Problem } from '../../domain/problem.ts'
import { whyNotMerged, type TaskRecord } from '../../domain/board/task.ts'
import type { CommandOptions } from '../operation-commands.ts'
import { readDocument } from '../read-document.ts'
import { say } from '../terminal.ts'
import { claimText, reviewText, submittedText, taskDetails, taskLine } from './text.ts'

/** A script tells by it that there was nothing to do, from having got something and from an error. */
const NOTHING_EXIT = 3

/** What the terminal adds to the operations of a board: tables for people, and exit codes for scripts. */
export const boardExtras = {
  'board.add_task': { print: taskLine },
  'board.edit_task': { print: taskLine },
  'board.finalize_task': { finish: sayNotices, print: taskLine },
  'board.supersede_task': { print: supersededText },
  'board.abandon_task': { print: taskLine },
  'board.unblock_task': { print: taskLine },
  'board.hold_task': { print: taskLine },
  'board.release_task': { print: taskLine },
  'board.get_task': { print: taskDetails },
  'board.claim_task': {
    finish: orNothing,
    print: (task: Parameters<typeof claimText>[0] | null) =>
      task === null ? 'Nothing can be claimed now; troupe board next says what waits for whom.' : claimText(task),
  },
  'board.review_task': {
    finish: orNothing,
    print: (review: Parameters<typeof reviewText>[0] | null) => (review === null ? 'Nothing waits for review.' : reviewText(review)),
  },
  'board.submit_for_review': { print: submittedText },
  'board.mark_blocked': { print: taskLine },
  'board.write_checkpoint': { print: taskLine },
  'board.submit_verdict': {
    options: [
      ['--file <file>', 'the whole verdict as a YAML or JSON file; - for standard input'],
      ['--approve <evidence...>', 'approve the submitted commit, with what was checked'],
      ['--resolved <findings...>', 'with --approve: the findings of earlier rounds that are resolved, such as 1.1'],
    ],
    fields: verdictFields,
    print: taskLine,
  },
  'board.merge_task': { finish: orNotMerged, print: mergedText },
} as const

function sayNotices<Output extends { notices: readonly string[] }>(output: Output): Output {
  for (const notice of output.notices) say(notice)
  return output
}

function supersededText({ task, replacements }: { task: TaskRecord; replacements: readonly TaskRecord[] }): string {
  return [task, ...replacements].map(taskLine).join('\n')
}

function orNothing<Output>(output: Output): Output {
  if (output === null) process.exitCode = NOTHING_EXIT
  return output
}

/** A script that goes on after a merge must learn that there was none. */
function orNotMerged<Output extends { status: string }>(task: Output): Output {
  if (task.status !== 'MERGED') process.exitCode = problems.conflict.exit
  return task
}

function mergedText(task: TaskRecord): string {
  if (task.status === 'MERGED') return taskLine(task)
  return `${taskLine(task)}\nNot merged: ${task.status === 'INTEGRATION_FAILED' ? whyNotMerged(task) : task.rejection_reason}`
}

/** A verdict in a file, or an approval in a few words. */
async function verdictFields({ file, approve, resolved }: CommandOptions): Promise<Record<string, unknown>> {
  if (file !== undefined && (approve ?? resolved) !== undefined)
    throw new Problem('bad_input', 'a verdict stands in its file or behind --approve and --resolved, not in both; leave one out')
  if (typeof file === 'string') return { ...((await readDocument(file)) as object) } // the schema judges it
  if (!Array.isArray(approve)) return {}
  const criteria = approve.map((said: unknown) => ({ criterion: 'done_when', evidence: said }))
  const found = Array.isArray(resolved) ? resolved : []
  return { verdict: 'APPROVED', criteria, prior_findings: found.map((id: unknown) => ({ id, status: 'RESOLVED' })) }
}
