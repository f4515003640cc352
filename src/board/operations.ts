import { agentOperations } from './agent-operations.ts'
import { approvePlan } from './task/approve-plan.ts'
import { holdTask } from './task/block.ts'
import { releaseTask } from './task/release.ts'
import { getTask } from './task/show.ts'
import { getTaskDiff, listTaskFiles, readTaskFile } from './view/work.ts'

/** What can be done on a board. */
export const boardOperations = [
  ...agentOperations,
  approvePlan,
  holdTask,
  releaseTask,
  getTask,
  getTaskDiff,
  listTaskFiles,
  readTaskFile,
] as const
