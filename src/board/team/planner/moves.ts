import * as z from 'zod'
import { NonBlank } from '../../../domain/text/non-blank.ts'
import { checkpointBoard } from '../../goal/control.ts'
import { settleDiscovery } from '../../view/report.ts'
import { writeSprintReport } from '../../view/sprint-report.ts'
import { knownActor } from '../../agent/known-actor.ts'
import { defineMove } from '../move.ts'

const plans = { roles: ['planner'], required_permissions: ['read_files'] } as const
const task = z.string()
const convert = defineMove({
  name: 'convert_discovery',
  description: 'Say that a discovery has become a task.',
  ...plans,
  input: z.strictObject({ discovery: z.string(), task }),
  example: { discovery: 'discovery_1', task: 'task-4' },
  run: async ({ discovery, task: converted_to_task }, { board, identity }) => {
    await settleDiscovery(board, identity, discovery, { converted_to_task })
    return { output: `${discovery} is ${converted_to_task}` }
  },
})

const downgrade = defineMove({
  name: 'downgrade_discovery',
  description: 'Say why a discovery waits (deferred) or is no task at all (rejected).',
  ...plans,
  input: z.strictObject({ discovery: z.string(), to: z.enum(['deferred', 'rejected']), reason: NonBlank }),
  example: { discovery: 'discovery_1', to: 'deferred', reason: 'Nothing depends on it yet' },
  run: async ({ discovery, to, reason }, { board, identity }) => {
    await settleDiscovery(board, identity, discovery, to === 'deferred' ? { deferred: reason } : { dismissed: reason })
    return { output: `${discovery} is ${to}` }
  },
})

const requestCheckpoint = defineMove({
  name: 'request_checkpoint',
  description:
    'Stop the whole team for a person: something about how it works is unclear to you. Log it first; you are told what was decided.',
  ...plans,
  input: z.strictObject({ question: NonBlank }),
  example: { question: 'Two specs contradict each other; which one holds?' },
  run: async ({ question }, { board, identity }) => {
    await board.driver.transaction(async (tx) => {
      const { id } = await knownActor(tx, board.board_id, identity)
      await checkpointBoard({ ...board, driver: tx }, id, question, 'planner')
    })
    await writeSprintReport(board)
    return { output: 'the team stands still until a person has decided', ends: true }
  },
})

/** Everything a planner may do on the board. */
export const plannerMoves = [convert, downgrade, requestCheckpoint]
