import * as z from 'zod'
import { defineFlow, isFinal } from '../flow.ts'

/** Who moves tasks: the three roles of a team, the process that supervises them, and the person it works for. */
export type TaskActor = z.infer<typeof TaskActor>
export const TaskActor = z.enum(['planner', 'coder', 'code_reviewer', 'supervisor', 'human'])

/** Every move of a task. A review is a lease on a task that waits, not a state of its own. */
// oxfmt-ignore
export const taskFlow = defineFlow({
  name: 'task',
  states: ['DRAFT', 'UNCLAIMED', 'CLAIMED', 'READY_FOR_REVIEW', 'REJECTED', 'APPROVED', 'INTEGRATION_FAILED', 'BLOCKED', 'MERGED', 'SUPERSEDED', 'ABANDONED'],
  initial: 'DRAFT',
  person: {
    is: 'human',
    does: {
      finalize:  { operation: 'board.finalize_task' },
      release:   { operation: 'board.release_task' },
      merge:     { operation: 'board.merge_task' },
      hold:      { operation: 'board.hold_task' },
      unblock:   { operation: 'board.unblock_task' },
      supersede: { operation: 'board.supersede_task' },
      abandon:   { operation: 'board.abandon_task' },
    },
  },
  moves: {
    finalize:         { from: ['DRAFT'],                                       to: 'UNCLAIMED',          by: ['planner', 'human'] },
    claim:            { from: ['UNCLAIMED', 'REJECTED', 'INTEGRATION_FAILED'], to: 'CLAIMED',            by: ['supervisor'] },
    reclaim:          { from: ['CLAIMED'],                                     to: 'CLAIMED',            by: ['supervisor'] },
    release:          { from: ['CLAIMED'],                                     to: 'UNCLAIMED',          by: ['supervisor', 'human'] },
    submit:           { from: ['CLAIMED'],                                     to: 'READY_FOR_REVIEW',   by: ['coder'] },
    block:            { from: ['CLAIMED'],                                     to: 'BLOCKED',            by: ['coder'] },
    approve:          { from: ['READY_FOR_REVIEW'],                            to: 'APPROVED',           by: ['code_reviewer'] },
    reject:           { from: ['READY_FOR_REVIEW'],                            to: 'REJECTED',           by: ['code_reviewer'] },
    merge:            { from: ['APPROVED'],                                    to: 'MERGED',             by: ['code_reviewer', 'supervisor', 'human'] },
    fail_integration: { from: ['APPROVED'],                                    to: 'INTEGRATION_FAILED', by: ['supervisor'] },
    void:             { from: ['APPROVED'],                                    to: 'REJECTED',           by: ['supervisor'] },
    hold:             { from: ['UNCLAIMED', 'CLAIMED', 'READY_FOR_REVIEW', 'REJECTED', 'INTEGRATION_FAILED'], to: 'BLOCKED', by: ['planner', 'supervisor', 'human'] },
    unblock:          { from: ['BLOCKED'],                                     to: 'UNCLAIMED',          by: ['planner', 'human'] },
    supersede:        { from: ['DRAFT', 'UNCLAIMED', 'REJECTED', 'INTEGRATION_FAILED', 'BLOCKED'], to: 'SUPERSEDED', by: ['planner', 'human'] },
    abandon:          { from: ['DRAFT', 'UNCLAIMED', 'REJECTED', 'INTEGRATION_FAILED', 'BLOCKED'], to: 'ABANDONED',  by: ['planner', 'human'] },
    drop:             { from: ['UNCLAIMED', 'REJECTED', 'INTEGRATION_FAILED', 'BLOCKED'], to: 'ABANDONED',            by: ['supervisor'] },
  },
})

export type TaskState = (typeof taskFlow.states)[number]
export type TaskMove = keyof typeof taskFlow.moves

/** Nothing more happens to a task in one of these. */
export const finalStates = taskFlow.states.filter((state) => isFinal(taskFlow, state))

/** States in which something is still to be done about a task. */
export const openStates = taskFlow.states.filter((state) => !isFinal(taskFlow, state))
