import * as z from 'zod'
import { TaskChanges, TaskPlan } from '../../../domain/board/task.ts'
import { definedOnly } from '../../../domain/text/unknown-value.ts'
import { NonBlank } from '../../../domain/text/non-blank.ts'
import { addTask, editTask } from '../../task/add.ts'
import { checkpointBoard } from '../../goal/control.ts'
import { finalizeTask } from '../../task/finalize.ts'
import { settleDiscovery } from '../../view/report.ts'
import { writeSprintReport } from '../../view/sprint-report.ts'
import { knownActor } from '../../agent/known-actor.ts'
import { abandonTask, supersedeTask } from '../../task/supersede.ts'
import { defineMove } from '../move.ts'

const plans = { roles: ['planner'], required_permissions: ['read_files'] } as const
const { description, kind, priority, spec_ref, done_when, scope, depends_on } = TaskPlan.shape
const Plan = z.strictObject({
  id: z.string().optional().describe('small letters, digits and -; given when left out'),
  description,
  kind: kind.describe('only code needs tests'),
  priority: priority.describe('1 is first'),
  spec_ref: spec_ref.describe('path of the spec, with #section'),
  done_when: done_when.describe('falsifiable outcome'),
  scope: scope.describe('IN: … OUT: …'),
  depends_on,
})
const task = z.string()
const why = { reason: NonBlank, root_cause: NonBlank.describe('what failed, and why') }
const example = {
  description: 'Page GET /users by 50, with tests',
  spec_ref: 'specs/api.md#users',
  done_when: 'GET /users returns 50 users at most',
  scope: 'IN: the list. OUT: sorting',
}

const add = defineMove({
  name: 'add_task',
  description: 'Add a task to the board as a DRAFT. A code task includes its tests.',
  ...plans,
  input: Plan,
  example,
  run: async (plan, { board, identity }) => {
    const added = await addTask(board, identity, plan)
    return { output: `added ${added.id} as DRAFT; finalize_task when it is complete` }
  },
})

const edit = defineMove({
  name: 'edit_task',
  description: 'Change what a DRAFT says.',
  ...plans,
  input: z.strictObject({ task, changes: TaskChanges.omit({ max_iterations: true }).strict() }),
  example: { task: 'task-1', changes: { scope: example.scope } },
  run: async (said, { board, identity }) => {
    const edited = await editTask(board, identity, said.task, definedOnly(said.changes))
    return { output: `${edited.id} says so now` }
  },
})

const finalize = defineMove({
  name: 'finalize_task',
  description: 'Let a DRAFT leave your desk; refused with the reason while a gate is not passed.',
  ...plans,
  input: z.strictObject({ task }),
  example: { task: 'task-1' },
  run: async (said, { board, identity }) => {
    const finalized = await finalizeTask(board, identity, said.task)
    const waits = finalized.plan_approved_by === null ? '; a person approves the plan before it is claimed' : ''
    return { output: `${finalized.id} is ${finalized.status}${waits}` }
  },
})

const supersede = defineMove({
  name: 'supersede_task',
  description: 'Replace a task by better ones: one redefines it, several split it. What waited for it waits for them.',
  ...plans,
  input: z.strictObject({ task, ...why, replacements: z.array(Plan).min(1) }),
  example: { task: 'task-1', reason: 'Too large', root_cause: 'Two features in one task', replacements: [example] },
  run: async (said, { board, identity }) => {
    const { task: superseded, replacements } = await supersedeTask(board, identity, said.task, said)
    return { output: `${superseded.id} is SUPERSEDED by ${replacements.map(({ id }) => id).join(', ')}` }
  },
})

const abandon = defineMove({
  name: 'abandon_task',
  description: 'Drop a task for good.',
  ...plans,
  input: z.strictObject({ task, ...why }),
  example: { task: 'task-1', reason: 'Not needed', root_cause: 'The spec dropped it' },
  run: async (said, { board, identity }) => {
    const { id, status } = await abandonTask(board, identity, said.task, said)
    return { output: `${id} is ${status}` }
  },
})

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
export const plannerMoves = [add, edit, finalize, supersede, abandon, convert, downgrade, requestCheckpoint]
