import * as z from 'zod'
import type { Task } from '../../../domain/board/task.ts'
import { NonBlank } from '../../../domain/text/non-blank.ts'
import { handoffFields } from '../../../domain/board/record.ts'
import { Blocking, blockTask } from '../../task/block.ts'
import { addCheckpoint, handOver } from '../../view/report.ts'
import { shareWork } from '../../goal/shared-branches.ts'
import { submissionOf } from '../../task/submission-checks.ts'
import { submitTask } from '../../task/submit.ts'
import { commitWork, mergeIntegration } from './git.ts'
import { defineMove, assignedTask } from '../move.ts'
import { boardOf } from '../../find.ts'

const changes = { roles: ['coder'], required_permissions: ['read_files', 'write_files'] } as const
const notes = { roles: ['coder'], required_permissions: ['read_files'] } as const

const commit = defineMove({
  name: 'commit_work',
  description: 'Commit everything in your worktree to your task branch.',
  ...changes,
  input: z.strictObject({ message: z.string().min(1).max(5_000) }),
  example: { message: 'Page the list of users by 50' },
  run: async ({ message }, context) => ({ output: await commitWork(context.board, context.identity, assignedTask(context), message) }),
})

const updateFromIntegration = defineMove({
  name: 'update_from_integration',
  description: 'Merge the integration branch into your task branch, to resolve a conflict; edit the conflicted files, then commit_work.',
  ...changes,
  input: z.strictObject({}),
  example: {},
  run: async (_, context) => ({ output: await mergeIntegration(context.board, context.identity, assignedTask(context)) }),
})

const submit = defineMove({
  name: 'submit_for_review',
  description: 'Hand your committed work over for review. Everything must be committed; your part ends here.',
  ...changes,
  input: z.strictObject({
    commit: z.string().optional().describe('full id; what your branch stands at when left out'),
    override: NonBlank.optional().describe('only after a submission was stopped: why it is right as it is; the reviewer reads it'),
  }),
  example: {},
  run: async ({ commit: named, override }, context) => {
    const task = await submitTask(context.board, context.identity, assignedTask(context), named ?? null, override ?? null)
    return { output: `${task.id} is READY_FOR_REVIEW at ${task.review_commit}${scopeWarning(task)}`, ends: true }
  },
})

const markBlocked = defineMove({
  name: 'mark_blocked',
  description: 'Stop because the task cannot be done as it is: why, 1-3 questions whose answers would unblock it, what you tried.',
  ...notes,
  input: Blocking.strict(),
  example: { blocked_reason: 'The spec does not say how long a page is', blocked_questions: ['How long is a page?'], attempted: [] },
  run: async (blocking, context) => {
    const task = await blockTask(context.board, context.identity, assignedTask(context), blocking)
    return { output: `${task.id} is BLOCKED; the planner answers`, ends: true }
  },
})

const writeHandoff = defineMove({
  name: 'write_handoff',
  description: 'Stop because your context runs out, and leave word for whoever goes on. Commit first.',
  ...notes,
  input: z.strictObject(handoffFields),
  example: { summary: 'Query pages, tests written', next_action: 'make the last page pass' },
  run: async (said, context) => {
    const { config } = await boardOf(context.board)
    await shareWork(context.board, config, { id: assignedTask(context) })
    await handOver(context.board, context.identity, { task: assignedTask(context), ...said })
    return { output: 'handed over', ends: true }
  },
})

const writeCheckpoint = defineMove({
  name: 'write_checkpoint',
  description: 'Before you change anything: state what you will do. The reviewer holds your work against it.',
  ...notes,
  input: z.strictObject({
    intent: z.string().min(1).describe('specific and observable'),
    assumptions: z.array(z.string()).default([]),
    risks: z.array(z.string()).default([]),
    validation: z.string().default('').describe('command and expected output'),
    files_to_modify: z.array(z.string()).default([]).describe('paths or folders, tests included'),
  }),
  example: { intent: 'GET /users returns pages of 50', files_to_modify: ['src/users.ts', 'tests/users.test.ts'] },
  run: async (checkpoint, context) => {
    await addCheckpoint(context.board, context.identity, assignedTask(context), checkpoint)
    return { output: 'noted; begin' }
  },
})

function scopeWarning(task: Task): string {
  const { outside_scope } = submissionOf(task)
  return outside_scope.length === 0 ? '' : `. Outside the scope, and told to the reviewer: ${outside_scope.join(', ')}`
}

/** Everything a coder may do on the board. */
export const coderMoves = [writeCheckpoint, commit, updateFromIntegration, submit, markBlocked, writeHandoff]
