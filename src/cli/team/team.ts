import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { waitingForApproval } from '../../board/task/approve-plan.ts'
import { baseDistance, behindText } from '../../board/goal/base-branch.ts'
import type { BoardWorkspace } from '../../board/context.ts'
import { takeInBase } from '../../board/goal/take-in.ts'
import { uncommittedNotices } from '../../board/task/submit/uncommitted.ts'
import { spentOn, tasksByState } from '../../board/team/progress.ts'
import type { MemberRequest } from '../../board/team/member.ts'
import { runTeam, teamOf, type TeamEnd } from '../../board/team/team.ts'
import { waitingForPerson } from '../../board/team/waiting-for-person.ts'
import { boardOperations } from '../../board/operations.ts'
import { alarmText, watchBoard } from '../../board/health/watch.ts'
import type { BoardSignal } from '../../domain/board/board.ts'
import { boardMetrics } from '../../domain/board/metrics.ts'
import { counted, spentText } from '../../domain/text/format.ts'
import { Problem, problems } from '../../domain/problem.ts'
import { tasks } from '../../store/tables.ts'
import { checkoutOf } from '../../worktrees/branch.ts'
import { suggested } from '../operation-commands.ts'
import { wholeNumber } from '../run/options.ts'
import { stopSignal } from '../stop-signal.ts'
import { teamProgress } from './progress.ts'
import { openStation, stationOptions, type GoalOptions, type StationOptions } from './open-team.ts'
import { print, printJsonLine, rehearsalNotice } from '../terminal.ts'
import { boardOf } from '../../board/find.ts'

interface TeamOptions extends StationOptions, GoalOptions {
  coders: string
  reviewers: string
  planner?: boolean
  untilDone?: boolean
}

/** `troupe team`: planner, coders and code reviewers at work on the board, in this process. */
export function define(team: Command): void {
  stationOptions(team)
    .option('--coders <number>', 'how many coders', '1')
    .option('--reviewers <number>', 'how many code reviewers', '1')
    .option('--planner', 'add a planner; with --goal there always is one')
    .option('--goal <text>', 'start a board for this goal, or continue it')
    .option('--spec <file>', 'the spec of the goal, from the top of the repository')
    .option('--integration-test <command>', 'a command that must succeed before a merge counts')
    .option('--until-done', 'stop when the goal is reached, or when only a person can continue')
    .option('--auto-approve', 'start tasks without a person approving the plan')
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<TeamOptions>()
      const planner = options.planner === true || options.goal !== undefined
      const coders = wholeNumber('--coders', options.coders, { to: 999 })
      const reviewers = wholeNumber('--reviewers', options.reviewers, { to: 999 })
      const members = teamOf({ planner, coders, reviewers })
      if (members.length === 0)
        throw new Problem('bad_input', 'a team without members does nothing; give it --coders, --reviewers or --planner')
      process.exitCode = await superviseTeam(options, members, options.untilDone === true)
    })
}

/** Has members work until they stop, shows what they do, and says what came of it. */
export async function superviseTeam(options: StationOptions & GoalOptions, members: MemberRequest[], untilDone: boolean): Promise<number> {
  const stopping = stopSignal()
  const json = options.json === true
  let progress: ReturnType<typeof teamProgress> | undefined
  const { context, close } = await openStation({ ...options, members }, (board) => {
    progress = teamProgress(board, json)
    return progress.listener
  })
  const stopTelling = context.feed.listen((lines) => progress?.tell(lines))
  const stopWatching = raiseAlarms(context.board, context.say)
  try {
    for (const obstacle of await obstacles(context.board, members)) context.say(obstacle)
    const models = await Promise.all(members.map(async ({ role }) => context.modelOf(role)))
    if (models.includes('rehearsal')) context.say(rehearsalNotice)
    const end = await runTeam(context, { members, untilDone }, stopping)
    progress?.stop()
    await printEnd(context.board, end, json)
    return exitCodeOf(end, stopping.aborted, untilDone)
  } finally {
    progress?.stop()
    stopTelling()
    stopWatching()
    await close()
  }
}

/** What a person may want to do something about before a team works towards its goal. */
async function obstacles(board: BoardWorkspace, members: readonly MemberRequest[]): Promise<string[]> {
  const { driver, board_id, repository } = board
  const { signal, config } = await boardOf(board)
  const { integration_branch, integration_test } = config
  const waiting = await waitingForApproval(board)
  const isPlanned = members.some(({ role }) => role === 'planner') || (await tasks.count(driver, { board_id })) > 0
  const holder = await checkoutOf(repository, integration_branch)
  const behind = await untaken(board)
  const submodules = existsSync(join(repository.root, '.gitmodules'))
  // oxfmt-ignore
  const found: [boolean, string][] = [
    [signal !== null,           standstill(signal)],
    [waiting.length > 0,        `${counted(waiting.length, 'task')} waiting for a person to approve the plan: troupe board approve-plan`],
    [!isPlanned,                'The board has no tasks and the team has no planner: add --planner, or add tasks with troupe board add'],
    [holder !== null,           `Nothing can be merged while ${integration_branch} is checked out in ${holder}: git switch to another branch there`],
    [behind !== '',             behind],
    [integration_test === null, 'No merge check is set, so approved work is merged untested; set one: troupe board config --integration-test "npm test"'],
    [submodules,                'Submodules are empty in the worktrees of tasks: whatever needs them, such as an integration_test, must fetch them itself'],
  ]
  return [...found.filter(([holds]) => holds).map(([, told]) => told), ...(await uncommittedNotices(board))]
}

/** What of the base branch is not in the work of the team, and why; what can be taken in is. */
async function untaken(board: BoardWorkspace): Promise<string> {
  const { config } = await boardOf(board)
  const { base_branch, integration_branch } = config
  const taken = await takeInBase(board)
  if (taken.outcome === 'held') return `${behindText(await baseDistance(board.repository, config))}: ${taken.reason}`
  if (taken.outcome !== 'conflict') return ''
  const onward = taken.task === null ? `git merge ${base_branch} on ${integration_branch}` : `a coder settles it in ${taken.task}`
  return `${base_branch} does not fit ${integration_branch} in ${taken.files.join(', ')}: ${onward}`
}

/** Why nobody works while a board is stopped, and what ends that. */
function standstill(signal: BoardSignal | null): string {
  if (signal === null) return ''
  const { name, since, by, message } = signal
  const onward = {
    PAUSE: 'troupe board resume',
    CHECKPOINT: 'troupe board resume "DECISION"',
    ABORT: 'troupe board init starts a new goal',
  }
  return `The board is under ${name} since ${since} by ${by}${message === '' ? '' : `: ${message}`}; to continue: ${onward[name]}`
}

const WATCH_MS = 10_000

/** Tells each alarm once. */
function raiseAlarms(board: BoardWorkspace, tell: (text: string) => void): () => void {
  const raised = new Set<string>()
  const look = async () => {
    for (const alarm of await watchBoard(board)) {
      if (raised.has(alarm.key)) continue
      raised.add(alarm.key)
      tell(alarmText(alarm))
    }
  }
  const timer = setInterval(() => void look().catch(() => undefined), WATCH_MS) // a store that is away is asked again
  return () => clearInterval(timer)
}

async function printEnd(board: BoardWorkspace, end: TeamEnd, json: boolean): Promise<void> {
  const states = await tasksByState(board)
  const metrics = boardMetrics(await tasks.items(board.driver, { where: { board_id: board.board_id } }))
  const spent = await spentOn(board)
  const land = await howToLand(board, states.MERGED ?? 0)
  if (json) return printJsonLine({ type: 'result', ...end, tasks: states, metrics, ...spent, land })
  const counts = Object.entries(states).map(([state, number]) => `${state} ${number}`)
  const used = `${counted(spent.runs, 'run')}, ${counted(spent.turns, 'turn')}, ${spentText(spent)}`
  const verdicts = `${counted(metrics.review_verdict_approvals, 'approval')}, ${counted(metrics.review_verdict_rejections, 'rejection')}`
  print(`goal ${end.goal} · ${counts.join(' · ') || 'no tasks'}`)
  print(`${used} · ${verdicts}`)
  for (const { agent, reason, detail } of end.members) print(`${agent}: ${detail ?? reason.replace('_', ' ')}`)
  await printNext(board, end, land)
}

/** The branch that holds what was merged, and what to type to see it and to have it; null while nothing is. */
async function howToLand(board: BoardWorkspace, merged: number) {
  const { integration_branch: branch } = (await boardOf(board)).config
  return merged === 0 ? null : { branch, see: `git diff HEAD...${branch}`, merge: `git merge ${branch}` }
}

/** Where the work lies, and how to go on: the checkout looks as if nothing had happened. */
async function printNext(board: BoardWorkspace, { goal }: TeamEnd, land: Awaited<ReturnType<typeof howToLand>>): Promise<void> {
  const { signal } = await boardOf(board)
  if (land !== null)
    print(`Merged work is on the branch ${land.branch}; your checkout is unchanged. See it: ${land.see}   Land it: ${land.merge}`)
  if (goal !== 'IN_PROGRESS') return
  for (const waiting of await waitingForPerson(board)) print(suggested(boardOperations, waiting))
  const onward = 'Continue it: troupe team --planner   See what is waiting: troupe board next   End it: troupe board abort'
  print(signal === null ? onward : standstill(signal))
}

/** A script learns whether the goal was reached, and if not, who has to do something about it. */
function exitCodeOf({ goal, members }: TeamEnd, stopped: boolean, untilDone: boolean): number {
  const reasons = new Set(members.map(({ reason }) => reason))
  if (goal === 'COMPLETED') return 0
  if (stopped) return problems.stopped.exit
  if (reasons.has('budget') || reasons.has('quota')) return problems.budget.exit
  if (reasons.has('crash_loop')) return problems.provider_failed.exit
  if (reasons.has('claim_failed')) return problems.conflict.exit
  return untilDone ? problems.needs_person.exit : 0
}
