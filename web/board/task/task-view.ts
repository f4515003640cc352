import type { OperationOutput } from '../../../src/api/operations.ts'

/** A task, opened. */
export type TaskView = OperationOutput<'board.get_task'>

/** What the work on a task changed. */
