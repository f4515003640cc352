import type { Task, TaskEntry } from '../../../domain/board/task.ts'
import { statusOf, type CheckoutStatus } from '../../../worktrees/status.ts'
import { blockTask } from '../../task/block.ts'
import { whyNotClaimable, mayTake } from '../../task/candidates.ts'
import { claimWithWorktree } from '../../task/claim.ts'
import { placeOf } from '../../worktree/prepare.ts'
import { releaseClaim } from '../../task/release.ts'
import { threadName } from '../../agent/runs-of.ts'
import { workOnAssignment, type Attended, type AssignmentContext } from '../work-on-assignment.ts'
import { budgetRefusal } from '../budget.ts'
import { claimPatiently } from '../contention.ts'
import { fingerprint } from '../../records.ts'
import { memberRecord, isFinished, troubleText, type TeamMember } from '../member.ts'
import type { Reach } from '../play.ts'
import { leftoverText, assignmentText } from '../task-text.ts'
import { boardOf } from '../../find.ts'

/** How a look for work ended: nothing was there, something was done, or the agent has to stop for a reason. */
export type Worked = 'nothing' | 'worked' | 'claim_failed' | 'handoff' | 'no_plan' | Exclude<Attended, 'done'>

/** Claims the next task for a coder and has it done. */
export async function codeNext(member: TeamMember): Promise<Worked> {
  const { team, identity } = member
  if (!(await mayTake(team.board, 'task', identity, whyNotClaimable))) return 'nothing'
  if ((await budgetRefusal(team)) !== undefined) return 'budget' // before a claim, which would count as an iteration
  const task = await claimPatiently(member, () => claimWithWorktree(team.board, identity))
  if (task === 'claim_failed') return 'claim_failed'
  if (task === null) return 'nothing'
  const hold = member.hold(task.id)
  try {
    let refused: string | null = null
    const onHandBack = (said: string | null) => void (refused = said)
    const ended = await workOnAssignment(member, { ...(await coderAssignment(member, task)), onHandBack }, hold.signal)
    return await settle(member, task, ended, refused)
  } finally {
    hold.release()
  }
}

const gitIn: Record<Reach, string> = {
  tools: 'git itself is not in your shell',
  shell: 'use git only to read (log, diff, show, blame, status)',
}

/** What the next coder of a task is told and where it works. */
export async function coderAssignment(member: TeamMember, task: Task): Promise<AssignmentContext> {
  const { board } = member.team
  const { goal, config } = await boardOf(board)
  const { path, branch } = placeOf(board.repository.root, task)
  const untouched: CheckoutStatus = { head: task.base_commit, branch, files: [], overwrites: false }
  return {
    context: { board, identity: member.identity, task: task.id, review_commit: null, spec_hash: null },
    workspace: path,
    thread_id: threadName(board.board_id, task.id, member.identity.agent, task.iteration ?? 1),
    sections: async (reach) => ({
      board: [
        `You are ${member.identity.agent}. The goal of the team: ${goal.description}`,
        `Your workspace is the worktree of your task, on a branch of its own. Approved work is merged into ${config.integration_branch}; that is not yours to do.`,
        `Begin with write_checkpoint. Commit with commit_work; ${gitIn[reach]}. End with submit_for_review, mark_blocked or write_handoff: nothing else counts as handed in.`,
      ].join('\n'),
      task: [await assignmentText(board, task), await leftoverText(board, task)].filter(Boolean).join('\n\n'),
      feedback:
        task.rejection_reason === null ? '' : `The last submission was rejected. You MUST address each blocker:\n${task.rejection_reason}`,
    }),
    prompt: `Work on ${task.id} (iteration ${task.iteration}).`,
    reminder: async () =>
      `You stopped, but ${task.id} is not handed in. Commit and submit_for_review, or mark_blocked with your questions.`,
    isDone: () => isFinished(member, task.id),
    state: async () => fingerprint(await statusOf(path).catch(() => 'no worktree')),
    ...(task.iteration === 1 && { begun: fingerprint(untouched) }), // where it took up what it had left before, it has one more try
  }
}

/** Ends after which another try would only be the same again. */
const dead: Partial<Record<Attended, string>> = {
  unfinished: 'the coder ended several times without handing anything in',
  task_budget: 'the budget of the task is used up',
  silent: 'agents fell silent on it twice and were stopped',
}

/** What becomes of a task whose coder did not bring it to an end by itself. */
async function settle(member: TeamMember, task: TaskEntry, ended: Attended, refused: string | null): Promise<Worked> {
  const { board } = member.team
  if (ended === 'done') return (await memberRecord(member))?.status === 'HANDOFF' ? 'handoff' : 'worked'
  const why = dead[ended]
  if (why !== undefined) {
    await blockTask(board, member.identity, task.id, {
      blocked_reason: `${task.id} did not finish: ${why}${refused === null ? '' : `; last error: ${refused}`}`,
      blocked_questions: ['Is the task small and clear enough for one coder?'],
    })
    return 'worked'
  }
  if (!['lost', 'stopped', 'over'].includes(ended))
    await releaseClaim(board, member.identity, task.id, { reason: troubleText(member, ended) }).catch(() => undefined) // it may be gone by now
  return ended
}
