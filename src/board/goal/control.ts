import type { PlainAction } from '../../domain/board/event.ts'
import * as z from 'zod'
import { Board, goalFlow, sprintFlow } from '../../domain/board/board.ts'
import { nextState } from '../../domain/flow.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { boards } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { knownActor } from '../agent/known-actor.ts'
import { needPerson, type RecordsContext, type BoardRef } from '../context.ts'
import { beginGoalStep, repositoryHere } from '../find.ts'
import { sprintReport, writeSprintReport } from '../view/sprint-report.ts'

const Words = z.string().max(4_000).default('')

/** What state a board is in after somebody stopped it or let it go on. */
const BoardStanding = Board.pick({ signal: true, sprint: true, goal: true })

/** Agents learn of it at their next step. */
export const pauseBoard = defineOperation({
  name: 'board.pause',
  summary: 'Pause the whole team',
  by: ['person'],
  effect: 'change',
  command: 'board pause [message]',
  input: z.strictObject({ message: Words.describe('why') }),
  output: BoardStanding,
  example: { message: 'Lunch' },
  tell: standingText,
  run: (context: RecordsContext, said) => {
    const by = needPerson(context.actor)
    return change(context, by, 'paused', said.message, (board, since) => {
      refuseHiding(board)
      return { ...board, signal: { name: 'PAUSE', since, by, message: said.message } }
    })
  },
})

/** The report of the sprint is kept beside the project where that is on this machine. */
export const checkpointBoard = defineOperation({
  name: 'board.checkpoint',
  summary: 'Stop the team for a look at the sprint, and write its report',
  advice:
    'Stop the whole team for a person: something about how it works is unclear to you. Log it first; you are told what was decided. message is your question.',
  by: ['person', 'planner'],
  ends: true,
  effect: 'change',
  command: 'board checkpoint [message]',
  input: z.strictObject({ message: Words.describe('what to look at') }),
  output: BoardStanding.extend({
    report: z.string(),
    /** From the top of the project; null where the project is on another machine. */
    report_file: z.string().nullable(),
  }),
  example: { message: 'Is the plan still right?' },
  tell: ({ report_file }) => `The team is stopped until a person decides.${report_file === null ? '' : ` Report: ${report_file}`}`,
  run: async (context: RecordsContext, said) => {
    const stopped = await context.driver.transaction(async (tx) => {
      const { role, id } = await knownActor(tx, context.board_id, context.actor)
      if (role !== 'planner') return stopForLook({ driver: tx, board_id: context.board_id }, needPerson(context.actor), said.message)
      if (said.message.trim() === '') throw new Problem('bad_input', 'say what the person has to decide')
      return stopForLook({ driver: tx, board_id: context.board_id }, id, said.message, role)
    })
    const repository = repositoryHere(context)
    const report_file = repository === null ? null : await writeSprintReport({ ...context, repository })
    return { ...stopped, report: await sprintReport(context), report_file }
  },
})

/** Stops the team for a person's look at the sprint. The circuit breaker and a planner may ask for it too. */
export async function stopForLook(context: BoardRef, by: string, why: string, actor: Stopper = 'human'): Promise<Board> {
  return change(context, by, 'checkpoint', why, (board, since) => ({
    ...board,
    signal: { name: 'CHECKPOINT', since, by, message: why },
    sprint: {
      ...board.sprint,
      status: nextState(sprintFlow, board.sprint.status, 'checkpoint', actor),
      timeline: { ...board.sprint.timeline, checkpoint_at: since },
    },
  }))
}

type Stopper = (typeof sprintFlow.moves.checkpoint.by)[number]

export const abortBoard = defineOperation({
  name: 'board.abort',
  summary: 'End the goal and its sprint for good',
  by: ['person'],
  effect: 'final',
  command: 'board abort [message]',
  input: z.strictObject({ message: Words.describe('why') }),
  output: BoardStanding,
  example: { message: 'The goal was wrong' },
  tell: standingText,
  run: (context: RecordsContext, said) => {
    const by = needPerson(context.actor)
    return change(context, by, 'aborted', said.message, (board, since) => ({
      ...board,
      signal: { name: 'ABORT', since, by, message: said.message },
      goal: { ...board.goal, status: nextState(goalFlow, board.goal.status, 'abort', 'human') },
      sprint: {
        ...board.sprint,
        status: nextState(sprintFlow, board.sprint.status, 'abort', 'human'),
        timeline: { ...board.sprint.timeline, ended: since },
      },
    }))
  },
})

/** After a checkpoint with the decision and its reason, which go into the retrospective. */
export const resumeBoard = defineOperation({
  name: 'board.resume',
  summary: 'Resume the team; after a checkpoint, with the decision',
  by: ['person'],
  effect: 'change',
  command: 'board resume [decision]',
  input: z.strictObject({ decision: Words.describe('what was decided at the checkpoint') }),
  output: BoardStanding,
  example: { decision: 'Go on as planned' },
  tell: standingText,
  run: (context: RecordsContext, { decision }) => {
    const by = needPerson(context.actor)
    return change(context, by, 'resumed', decision, (board, at) => {
      if (board.signal === null) throw new Problem('move_refused', 'the board is not stopped; there is nothing to resume')
      if (board.signal.name === 'PAUSE') return { ...board, signal: null }
      if (decision.trim() === '') throw new Problem('bad_input', 'say what was decided at the checkpoint; it goes into the retrospective')
      return {
        ...board,
        signal: null,
        sprint: resumed(board.sprint, { timestamp: at, by, decision }),
        circuit_breaker: resolved(board, decision, at),
      }
    })
  },
})

function standingText({ signal }: Pick<Board, 'signal'>): string {
  return signal === null ? 'The board has resumed.' : `The board is under ${signal.name}.`
}

/** A pause that took the place of a checkpoint would be taken back without the decision that one asks for. */
function refuseHiding({ signal }: Board): void {
  if (signal?.name !== 'CHECKPOINT') return
  const next = [{ operation: 'board.resume', input: { decision: 'DECISION' } }]
  throw new Problem('move_refused', 'the board is already paused at a checkpoint', { next })
}

/** No team works any more on a goal that is over. */
export function refuseOver({ goal }: Board): void {
  if (goal.status === 'IN_PROGRESS') return
  throw new Problem('move_refused', `the goal "${goal.description}" is ${goal.status}`, { next: [beginGoalStep] })
}

/** The decision joins those of earlier checkpoints. */
function resumed(sprint: Board['sprint'], decision: { timestamp: string; by: string; decision: string }): Board['sprint'] {
  const { decisions = [], records = [], ...more } = sprint.retrospective ?? {}
  const retrospective = { ...more, decisions: [...decisions, decision], records }
  return { ...sprint, status: nextState(sprintFlow, sprint.status, 'resume', 'human'), retrospective }
}

/** A breaker that tripped is acknowledged only by going on. */
function resolved({ circuit_breaker }: Board, resolution: string, resolved_at: string): Board['circuit_breaker'] {
  const { current_trigger, history } = circuit_breaker
  if (current_trigger === null) return circuit_breaker
  return {
    ...circuit_breaker,
    status: 'OK',
    current_trigger: null,
    history: [...history, { ...current_trigger, result: current_trigger.response.toUpperCase(), resolution, resolved_at }],
  }
}

async function change(
  context: BoardRef,
  by: string,
  action: PlainAction,
  message: string,
  apply: (board: Board, at: string) => Board,
): Promise<Board> {
  return context.driver.transaction(async (tx) => {
    const was = await boards.get(tx, context.board_id)
    refuseOver(was.item)
    const stored = await boards.replace(tx, was, apply(was.item, (await tx.now()).toISOString()))
    await recordActivity(tx, context.board_id, { agent: by, action, detail: message || action })
    return stored.item
  })
}
