import { goalFlow, sprintFlow, type Board } from '../../domain/board/board.ts'
import { nextState } from '../../domain/flow.ts'
import { Problem } from '../../domain/problem.ts'
import { boards } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import type { BoardRef } from '../desk.ts'

/** Lets the whole team stand still; agents learn of it at their next step. */
export async function pauseBoard(context: BoardRef, by: string, message = ''): Promise<Board> {
  return change(context, by, 'paused', message, (board, since) => {
    refuseHiding(board)
    return { ...board, signal: { name: 'PAUSE', since, by, message } }
  })
}

/** Stops the team for a person's look at the sprint. The circuit breaker and a planner may ask for it too. */
export async function checkpointBoard(context: BoardRef, by: string, message = '', actor: Stopper = 'human'): Promise<Board> {
  return change(context, by, 'checkpoint', message, (board, since) => ({
    ...board,
    signal: { name: 'CHECKPOINT', since, by, message },
    sprint: {
      ...board.sprint,
      status: nextState(sprintFlow, board.sprint.status, 'checkpoint', actor),
      timeline: { ...board.sprint.timeline, checkpoint_at: since },
    },
  }))
}

type Stopper = (typeof sprintFlow.moves.checkpoint.by)[number]

/** Ends the goal and the sprint for good. */
export async function abortBoard(context: BoardRef, by: string, message = ''): Promise<Board> {
  return change(context, by, 'aborted', message, (board, since) => ({
    ...board,
    signal: { name: 'ABORT', since, by, message },
    goal: { ...board.goal, status: nextState(goalFlow, board.goal.status, 'abort', 'human') },
    sprint: {
      ...board.sprint,
      status: nextState(sprintFlow, board.sprint.status, 'abort', 'human'),
      timeline: { ...board.sprint.timeline, ended: since },
    },
  }))
}

/** Takes a pause or a checkpoint back; after a checkpoint with the decision and its reason, which go into the retrospective. */
export async function resumeBoard(context: BoardRef, by: string, decision: string): Promise<Board> {
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
}

/** A pause that took the place of a checkpoint would be taken back without the decision that one asks for. */
function refuseHiding({ signal }: Board): void {
  if (signal?.name !== 'CHECKPOINT') return
  throw new Problem('move_refused', 'the board is under CHECKPOINT and stands still already; troupe board resume "DECISION" goes on')
}

/** No team works any more on a goal that is over. */
export function refuseOver({ goal }: Board): void {
  if (goal.status === 'IN_PROGRESS') return
  throw new Problem('move_refused', `the goal "${goal.description}" is ${goal.status}; begin a new one with troupe board init`)
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
  action: string,
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
