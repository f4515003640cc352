import { lastEvent } from '../../../domain/board/event.ts'
import { existsSync } from 'node:fs'
import type { BoardConfig } from '../../../domain/board/board.ts'
import type { Task, TaskEntry, TaskPlan, TaskReview, TaskGit } from '../../../domain/board/task.ts'
import { changedFiles, patchBetween } from '../../../worktrees/diff.ts'
import { restoreWorktree } from '../../../worktrees/worktree.ts'
import { whyNotReviewable, mayTake } from '../../task/candidates.ts'
import { boardOf } from '../../find.ts'
import { placeOf } from '../../worktree/prepare.ts'
import { recordsOf, fingerprint } from '../../records.ts'
import { releaseReview } from '../../task/release.ts'
import { claimReview, type Review } from '../../task/review.ts'
import { threadName } from '../../agent/runs-of.ts'
import { submissionText } from '../../task/submit/submission-checks.ts'
import { isTest } from '../../task/submit/tests-in-range.ts'
import { lastBlockers } from '../../task/verdict.ts'
import { workOnAssignment, type Attended, type AssignmentContext } from '../work-on-assignment.ts'
import { budgetRefusal } from '../budget.ts'
import type { Worked } from '../coder/coder.ts'
import { claimPatiently } from '../contention.ts'
import type { Reach } from '../play.ts'
import { isFinished, troubleText, type TeamMember } from '../member.ts'
import type { TeamContext } from '../context.ts'
import { assignmentText } from '../task-text.ts'

/** Claims the next review for a code reviewer and has it done in one pass. */
export async function reviewNext(member: TeamMember): Promise<Worked> {
  const { team, identity } = member
  if (!(await mayTake(team.board, 'review', identity, whyNotReviewable))) return 'nothing'
  if ((await budgetRefusal(team)) !== undefined) return 'budget'
  const review = await claimPatiently(member, () => claimReview(team.board, identity))
  if (review === 'claim_failed') return 'claim_failed'
  if (review === null) return 'nothing'
  const hold = member.hold(review.task.id)
  try {
    return await settle(member, review.task, await workOnAssignment(member, await reviewerAssignment(member, review), hold.signal))
  } finally {
    hold.release()
  }
}

/** What a reviewer is told: the task, the spec as it is now, the whole range, and what was found before. */
export async function reviewerAssignment(member: TeamMember, { task, spec_hash, spec_delta }: Review): Promise<AssignmentContext> {
  const { board } = member.team
  const { config } = await boardOf(board)
  const { path, branch } = placeOf(board.repository.root, task)
  if (!existsSync(path)) await restoreWorktree(board.repository, path, branch)
  const round = task.history.filter(({ event }) => event === 'review_claimed').length
  return {
    context: { board, identity: member.identity, task: task.id, review_commit: task.review_commit, spec_hash },
    workspace: path,
    thread_id: threadName(board.board_id, task.id, member.identity.agent, `review-${round}`),
    sections: async (reach) => ({
      board: [
        `You are ${member.identity.agent}. The workspace is the worktree of ${task.assigned_to} at the commit under review; you cannot change it.`,
        `Look at the whole range ${rangeBy[reach]}, in every round. End with submit_verdict; nothing else counts.`,
      ].join('\n'),
      task: [
        await assignmentText(board, task),
        await rangeText(board, task, config),
        reach === 'shell' ? await patchText(board, task) : '',
        specChange(task, spec_delta),
        await loggedText(board, task),
      ]
        .filter((part) => part !== '')
        .join('\n\n'),
      feedback: await priorText(board, task),
    }),
    prompt: `Review ${task.id} at ${task.review_commit}.`,
    reminder: async () => `You stopped without a verdict on ${task.id}. Give it now with submit_verdict.`,
    isDone: () => isFinished(member, task.id),
    state: async () => fingerprint(task.id, task.review_commit),
  }
}

const rangeBy: Record<Reach, string> = {
  tools: 'with git_diff {"from": BASE COMMIT, "to": REVIEW COMMIT}',
  shell: 'in the DIFF below; git log, diff, show, blame and status work in your shell, and git changes nothing there',
}

/** As much of a range as is in a prompt, which some agents take as one argument. */
const PATCH_BYTES = 24_000

/** The diff itself, for an agent without our tools. */
async function patchText({ repository }: TeamContext['board'], { base_commit, review_commit }: TaskGit & TaskReview): Promise<string> {
  const patch = Buffer.from(await patchBetween(repository.root, base_commit ?? '', review_commit ?? ''))
  if (patch.length <= PATCH_BYTES) return `DIFF:\n${patch.toString()}`
  const end = patch.lastIndexOf(10, PATCH_BYTES)
  const start = patch.subarray(0, end === -1 ? PATCH_BYTES : end).toString()
  return `DIFF:\n${start}\n[cut here; read on file by file: git diff ${base_commit} ${review_commit} -- FILE]`
}

async function rangeText({ repository }: TeamContext['board'], task: Task, { test_paths }: BoardConfig): Promise<string> {
  const { base_commit, review_commit, assigned_to, kind } = task
  const files = await changedFiles(repository.root, base_commit ?? '', review_commit ?? '')
  const tested = files.some(({ path, status }) => status !== 'deleted' && isTest(path, test_paths))
  return [
    `BASE COMMIT: ${base_commit}`,
    `REVIEW COMMIT: ${review_commit}`,
    `AUTHOR: ${assigned_to}`,
    'CHANGED FILES:',
    ...files.map(({ path, status, added, removed }) => `- ${status} ${path} +${added ?? '?'} -${removed ?? '?'}`),
    ...(kind === 'code' && !tested
      ? ['No file of this range looks like a test. Code without tests that cover DONE WHEN is rejected.']
      : []),
    ...submissionText(task),
  ].join('\n')
}

function specChange({ spec_ref }: TaskPlan, delta: string | null): string {
  return delta === null ? '' : `THE SPEC CHANGED since the task was made. Judge by the new text of ${spec_ref}:\n${delta}`
}

async function loggedText(board: TeamContext['board'], task: TaskEntry): Promise<string> {
  const anomalies = await recordsOf(board, 'anomaly', task.id)
  const checkpoint = lastEvent(task.history, 'pre_execution_checkpoint')?.checkpoint
  return [
    checkpoint === undefined ? '' : `CHECKPOINT the coder wrote before it began: ${JSON.stringify(checkpoint)}`,
    anomalies.length === 0
      ? ''
      : `ANOMALIES logged: ${anomalies.map(({ type, reporter, details }) => `${type} by ${reporter} ${JSON.stringify(details)}`).join('; ')}`,
  ]
    .filter((part) => part !== '')
    .join('\n')
}

/** Every earlier blocker has to be spoken of by its id. */
async function priorText({ driver }: TeamContext['board'], task: TaskEntry & TaskReview): Promise<string> {
  const blockers = await lastBlockers(driver, task)
  if (blockers.length === 0) return ''
  const listed = blockers.map(({ id, file, location, defect }) => `- ${id} ${file}:${location} ${defect}`)
  return ['In prior_findings say of each earlier blocker whether it is RESOLVED, STILL PRESENT or PARTIAL:', ...listed].join('\n')
}

/** A review without a verdict goes back, so that another reviewer may take it. */
async function settle(member: TeamMember, task: TaskEntry, ended: Attended): Promise<Worked> {
  const { board } = member.team
  if (ended === 'done') return 'worked'
  if (!['lost', 'stopped', 'over'].includes(ended)) {
    await releaseReview(board, member.identity, task.id, { reason: `no verdict: ${troubleText(member, ended)}` }).catch(() => undefined) // it may be gone by now
  }
  return ended === 'unfinished' || ended === 'task_budget' || ended === 'silent' ? 'crash_loop' : ended
}
