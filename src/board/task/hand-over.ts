import * as z from 'zod'
import { handoffFields, RecordKinds } from '../../domain/board/record.ts'
import { TaskId, TaskRecord } from '../../domain/board/task.ts'
import { defineOperation } from '../../domain/operation.ts'
import { NonBlank } from '../../domain/text/fields.ts'
import { needIdentity, type RecordsContext, type BoardWorkspace } from '../context.ts'
import { boardOf } from '../find.ts'
import { shareWork } from '../goal/shared-branches.ts'
import { addCheckpoint, handOver } from '../view/report.ts'

/** The claim is free at once, and the worktree stays as it is. */
export const writeHandoff = defineOperation({
  name: 'board.write_handoff',
  summary: 'Hand a task over to the next agent',
  advice: 'Stop because your context runs out, and leave a note for the next agent. Commit first.',
  by: ['coder'],
  effect: 'change',
  ends: true,
  command: 'board handoff <task>',
  input: z.strictObject({ task: TaskId, ...handoffFields }),
  output: RecordKinds.handoff,
  example: { task: 'task-1', summary: 'Query pages, tests written', next_action: 'make the last page pass' },
  tell: ({ task }) => `${task} is handed over`,
  run: async (context: BoardWorkspace & RecordsContext, said) => {
    const coder = needIdentity(context.actor)
    if (context.dry !== true) await shareWork(context, (await boardOf(context)).config, { id: said.task })
    return handOver(context, coder, said)
  },
})

/** The reviewer holds the work against it. */
export const writeCheckpoint = defineOperation({
  name: 'board.write_checkpoint',
  summary: 'State what you will do, before you change anything',
  advice: 'Before you change anything: state what you will do. The reviewer holds your work against it.',
  by: ['coder'],
  effect: 'change',
  command: 'board intend <task>',
  input: z.strictObject({
    task: TaskId,
    intent: NonBlank.describe('specific and observable'),
    assumptions: z.array(z.string()).default([]),
    risks: z.array(z.string()).default([]),
    validation: z.string().default('').describe('command and expected output'),
    files_to_modify: z.array(z.string()).default([]).describe('paths or folders, tests included'),
  }),
  output: TaskRecord,
  example: { task: 'task-1', intent: 'GET /users returns pages of 50', files_to_modify: ['src/users.ts', 'tests/users.test.ts'] },
  tell: () => 'noted; begin',
  run: (context: RecordsContext, { task, ...checkpoint }) => addCheckpoint(context, needIdentity(context.actor), task, checkpoint),
})
