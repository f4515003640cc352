import type { BoardAction } from '../../domain/board/event.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { perform } from '../../domain/operation.ts'
import type { ActivityLine } from '../../board/activity.ts'
import { approvePlan, waitingForApproval } from '../../board/task/approve-plan.ts'
import type { BoardWorkspace } from '../../board/context.ts'
import { beginGoal } from '../../board/goal/init.ts'
import { runTeam, teamOf } from '../../board/team/team.ts'
import type { RunEvent } from '../../domain/event.ts'
import { Problem } from '../../domain/problem.ts'
import { shortIds } from '../../domain/text/format.ts'
import { heldStates } from '../../domain/board/task-flow.ts'
import { tasks } from '../../store/tables.ts'
import { findCommit, gitText, openRepository } from '../../worktrees/repository.ts'
import type { Story } from './story.ts'
import type { DemoContext } from './context.ts'
import { openStation } from '../team/open-team.ts'

const GOAL = 'Show prices to people'
const SPEC = 'specs/format-price.md'
const TASKS = 3

/** What of a board's log is told; the rest is bookkeeping. */
const told: readonly BoardAction[] = ['claimed', 'ready_for_review', 'approved', 'rejected', 'merged', 'goal_completed']

/** The board: a goal becomes three tasks, one of them is rejected and repaired, all are merged. Gives back the board. */
export async function playBoard(world: DemoContext, story: Story): Promise<string> {
  const { parts, project, person, signal } = world
  story.scene(
    '3 · The board: plan, code, review, merge',
    'Coders work in git worktrees; only what a code reviewer approved is merged, and never into your checkout.',
  )
  const repository = await openRepository(project)
  const main = await findCommit(project, 'main')
  const integration_test = parts.sandbox.kind === 'none' ? null : 'node --test'
  await beginGoal(parts.driver, repository, { goal: GOAL, spec_ref: SPEC, config: { integration_test } }, person)
  const { context, board, close } = await openStation({ cwd: project, goal: GOAL, spec: SPEC }, () => ({
    onRun: hearCommands(story),
    say: story.step,
  }))
  const stopTelling = context.feed.listen((lines) => lines.forEach((line) => tell(story, line)))
  try {
    const approved = approveTheirPlan(world, story, context.board)
    const team = runTeam(
      context,
      { members: teamOf({ planner: true, coders: 2, reviewers: 1 }), untilDone: true, waitsForApproval: true },
      signal,
    )
    const [end] = await Promise.all([team, approved])
    if (signal.aborted) throw new Problem('stopped', 'the demo was stopped')
    await conclude(world, story, context.board, end.goal)
    story.enforced(
      'main and your checkout are where you left them.',
      main === (await findCommit(project, 'main')) && (await world.changes()) === '',
    )
    return board.id
  } finally {
    stopTelling()
    await close()
  }
}

/** A person approves the plan; until then nobody works. */
async function approveTheirPlan({ person, signal }: DemoContext, story: Story, board: BoardWorkspace): Promise<void> {
  while ((await waitingForApproval(board)).length < TASKS) await sleep(50, undefined, { signal }).catch(() => undefined)
  for (const { id, done_when } of await waitingForApproval(board)) story.step(`planned ${id}: done when ${done_when}`)
  const claimed = await tasks.count(board.driver, { board_id: board.board_id, status: heldStates })
  story.enforced('No task is claimed before a person approved the plan.', claimed === 0)
  story.step('you: approve the plan')
  await perform(approvePlan, { ...board, actor: { human: person } }, {})
}

async function conclude({ project }: DemoContext, story: Story, { driver, board_id }: BoardWorkspace, goal: string): Promise<void> {
  const all = await tasks.items(driver, { where: { board_id } })
  const merges = (await gitText(project, ['log', '--merges', '--format=%P', 'integration'])).split('\n')
  const approved = all.map(({ review_commit }) => review_commit)
  const sentBack = all.find(({ history }) => history.some(({ event }) => event === 'rejected'))
  const verdicts = sentBack?.history.map(({ event }) => event).filter((event) => ['rejected', 'approved', 'merged'].includes(event))
  story.enforced(`${sentBack?.id} was rejected, repaired, approved and only then merged.`, verdicts?.join() === 'rejected,approved,merged')
  story.enforced(
    `All ${merges.length} merges on the branch integration are of commits a code reviewer approved.`,
    merges.every((parents) => approved.includes(parents.split(' ')[1] ?? '')),
  )
  story.enforced(
    `The goal is ${goal}: all ${all.length} tasks are MERGED.`,
    goal === 'COMPLETED' && all.every(({ merge_commit }) => merge_commit !== null),
  )
}

/** The commands that verdicts rest on. */
function hearCommands(story: Story): (agent: string, task: string | null, event: RunEvent) => void {
  return (_agent, _task, event) => {
    if (event.type === 'tool_use' || (event.type === 'tool_result' && event.tool === 'execute_command')) story.hear(event)
  }
}

function tell(story: Story, { agent, action, task, detail }: ActivityLine): void {
  if (told.includes(action)) story.step(`${[agent, action.replaceAll('_', ' '), task].filter(Boolean).join(' ')}: ${short(detail)}`)
}

/** The first line, with commits as people quote them. */
function short(detail: string): string {
  return shortIds(detail.split('\n')[0] ?? '')
}
