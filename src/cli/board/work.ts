import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { blockTask } from '../../board/task/block.ts'
import { claimTask } from '../../board/task/claim.ts'
import { completeWhenReached } from '../../board/team/upkeep/complete-goal.ts'
import { needTask } from '../../board/find.ts'
import { freeAgentId } from '../../board/agent/free-agent.ts'
import { leaveBoard } from '../../board/agent/leave.ts'
import { mergeTask } from '../../board/task/merge.ts'
import { placeOf } from '../../board/worktree/prepare.ts'
import { handOver } from '../../board/view/report.ts'
import { claimReview } from '../../board/task/review.ts'
import { knownSpec } from '../../board/task/spec-currency.ts'
import { readSpec } from '../../board/goal/spec.ts'
import { integrationNow } from '../../board/goal/take-in.ts'
import { submitTask } from '../../board/task/submit.ts'
import { submitVerdict } from '../../board/task/verdict.ts'
import { messagesFor } from '../../board/task/messages.ts'
import type { BoardAgent } from '../../domain/board/agent.ts'
import { Problem, problems } from '../../domain/problem.ts'
import { whyNotMerged, type Task } from '../../domain/board/task.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import { boardAgents } from '../../store/tables.ts'
import { commitOf } from '../../worktrees/repository.ts'
import { boardVerb, changing, type BoardCall } from './context.ts'
import { readDocument } from '../read-document.ts'
import { claimText, reviewText, taskLine, submittedShown, taskShown } from './text.ts'

/** claim, submit, review, verdict, merge, block, hold, release, handoff, leave: what coders and reviewers do, and those who help them. */
export function defineBoardWork(noun: Command): void {
  defineCoding(noun)
  defineReviewing(noun)
  changing<{ reason?: string; force?: boolean }>(
    boardVerb(noun, 'free-agent', 'free the id of an agent whose process is gone, and what it held')
      .argument('<agent>')
      .option('--force', 'also while its lease still runs')
      .option('--reason <text>', 'why'),
    async ({ board, options: { reason = '', force = false }, args: [id = ''], human }) => {
      const freed = await freeAgentId(board, human(), id, { reason, force })
      return { value: { freed: id, tasks: freed }, text: `${id} is free.${freed.length === 0 ? '' : ` Given back: ${freed.join(', ')}.`}` }
    },
  )
  changing(boardVerb(noun, 'leave', 'give back what an agent holds and take its entry away'), async ({ board, identity }) => {
    const before = await boardAgents.items(board.driver, { where: { board_id: board.board_id } })
    const { agent, generation } = await identity()
    if (!before.some(({ id }) => id === agent)) throw new Problem('not_found', `${agent} is not on this board; ${whoIs(before)}`)
    await leaveBoard(board, { agent, generation }, 'left by hand')
    return { value: { left: agent }, text: `${agent} has left.` }
  })
}

function whoIs(agents: readonly BoardAgent[]): string {
  return agents.length === 0 ? 'nobody is' : `these are: ${agents.map(({ id }) => id).join(', ')}`
}

function defineCoding(noun: Command): void {
  changing(
    boardVerb(noun, 'claim', 'give a coder the next task, or the one that is named').argument('[task]'),
    async ({ board, args: [id], identity }) => {
      const task = await claimTask(board, await identity(), id)
      if (task === null) return nothingShown('Nothing can be claimed now; troupe board next says what waits for whom.')
      const words = await messagesFor(board, task)
      return { value: { ...task, ...words }, text: claimText(task, words, placeOf(board.repository.root, task).path) }
    },
  )
  changing<{ override?: string }>(
    boardVerb(noun, 'submit', 'hand a commit over for review')
      .argument('<task>')
      .argument('[commit]')
      .option('--override <reason>', 'hand in what the checks stopped, with the reason for the reviewer'),
    async ({ board, options, args: [id = '', commit], identity }) => {
      const { item } = await needTask(board.driver, board.board_id, id)
      const { path } = placeOf(board.repository.root, { id: item.id })
      const coder = await identity() // its heartbeat lays out again what somebody deleted
      if (!existsSync(path))
        throw new Problem('conflict', `there is no worktree of ${id} here; claim it first with troupe board claim ${id}`)
      return submittedShown(await submitTask(board, coder, item.id, await commitOf(path, commit ?? 'HEAD'), options.override ?? null))
    },
  )
  changing<{ reason: string; question: string[]; attempted?: string[] }>(
    boardVerb(noun, 'block', 'say why a task cannot go on, and ask')
      .argument('<task>')
      .requiredOption('--reason <text>', 'what is in the way, specifically')
      .requiredOption('--question <text...>', 'one to three questions whose answers would help')
      .option('--attempted <text...>', 'what was tried'),
    async ({ board, options, args: [id = ''], identity }) => {
      const blocking = { blocked_reason: options.reason, blocked_questions: options.question, attempted: options.attempted ?? [] }
      return taskShown(await blockTask(board, await identity(), id, blocking))
    },
  )
  defineHandoff(noun)
}

function defineHandoff(noun: Command): void {
  changing<{ summary: string; next: string; approach?: string; blocker?: string[]; file?: string[]; step?: string[] }>(
    boardVerb(noun, 'handoff', 'leave a task to whoever goes on with it')
      .argument('<task>')
      .requiredOption('--summary <text>', 'where it stands')
      .requiredOption('--next <text>', 'what comes next')
      .option('--approach <text>', 'how it was gone about')
      .option('--blocker <text...>', 'what is in the way')
      .option('--file <path...>', 'what was changed')
      .option('--step <text...>', 'what is left to do after that'),
    async ({ board, options, args: [task = ''], identity }) => {
      const { summary, next: next_action, approach, blocker: blockers, file: files_modified, step: next_steps } = options
      const said = { task, summary, next_action, ...definedOnly({ approach, blockers, files_modified, next_steps }) }
      return { value: await handOver(board, await identity(), said), text: `${task} is handed over.` }
    },
  )
}

function defineReviewing(noun: Command): void {
  changing(
    boardVerb(noun, 'review', 'give a reviewer the next review, or the one that is named').argument('[task]'),
    async ({ board, args: [id], identity }) => {
      const review = await claimReview(board, await identity('code-reviewer-1'), id)
      if (review === null) return nothingShown('Nothing waits for review.')
      const words = await messagesFor(board, review.task)
      return { value: { ...review, ...words }, text: reviewText(review, words) }
    },
  )
  changing<Approving>(
    boardVerb(noun, 'verdict', 'give a binding verdict: a JSON or YAML file, or --approve with what was checked')
      .argument('<task>')
      .argument('[file]', 'the verdict; - for standard input')
      .option('--approve <evidence...>', 'approve the submitted commit against the spec as it is now')
      .option('--resolved <findings...>', 'with --approve: the findings of earlier rounds that are resolved, such as 1.1'),
    async (call) => {
      const [id = '', file] = call.args
      if (file === undefined && call.options.approve === undefined)
        throw new Problem('bad_input', 'name the file of the verdict, - for standard input, or approve with --approve "WHAT WAS CHECKED"')
      if (file !== undefined && (call.options.approve ?? call.options.resolved) !== undefined)
        throw new Problem('bad_input', 'a verdict stands in its file or behind --approve and --resolved, not in both; leave one out')
      const verdict = file === undefined ? await approvalOf(call, id) : await readDocument(file)
      return taskShown(await submitVerdict(call.board, await call.identity('code-reviewer-1'), id, verdict))
    },
  )
  changing(
    boardVerb(noun, 'merge', 'merge approved work into the integration branch').argument('<task>'),
    async ({ board, args: [id = ''], actor }) => {
      const who = await actor()
      const task = await mergeTask(board, 'human' in who ? { supervisor: who.human } : who, id)
      await completeWhenReached(board.driver, board.board_id)
      return mergeShown(task)
    },
  )
}

/** A script tells by it that there was nothing to do, from having got something and from an error. */
const NOTHING_EXIT = 3

function nothingShown(text: string) {
  process.exitCode = NOTHING_EXIT
  return { value: null, text }
}

/** A script that goes on after a merge must learn that there was none. */
function mergeShown(task: Task) {
  if (task.status === 'MERGED') return taskShown(task)
  process.exitCode = problems.conflict.exit
  const why = task.status === 'INTEGRATION_FAILED' ? whyNotMerged(task) : task.rejection_reason
  return { value: task, text: `${taskLine(task)}\nNot merged: ${why}` }
}

interface Approving {
  approve?: string[]
  resolved?: string[]
}

async function approvalOf({ board, options }: BoardCall<Approving>, id: string): Promise<object> {
  const { item } = await needTask(board.driver, board.board_id, id)
  const { review_commit, status } = item
  if (review_commit === null) throw new Problem('move_refused', `${id} is ${status}; only a commit that was submitted can be approved`)
  const spec_hash = await knownSpec(board, item, await readSpec(board.repository, await integrationNow(board), item.spec_ref))
  const criteria = options.approve?.map((said) => ({ criterion: 'done_when', evidence: said }))
  const prior_findings = (options.resolved ?? []).map((finding) => ({ id: finding, status: 'RESOLVED' }))
  return { verdict: 'APPROVED', review_commit, spec_hash, criteria, prior_findings }
}
