import type { Operation } from '../domain/operation.ts'
import type { BoardContext } from './context.ts'
import { checkpointBoard } from './goal/control.ts'
import { addTask, editTask } from './task/add.ts'
import { markBlocked } from './task/block.ts'
import { writeCheckpoint, writeHandoff } from './task/hand-over.ts'
import { finalizeTask } from './task/finalize.ts'
import { abandonTask, supersedeTask } from './task/supersede.ts'
import { submitForReview } from './task/submit/submit.ts'
import { submitVerdict } from './task/verdict.ts'
import { unblockTask } from './task/unblock.ts'
import { commitWork, updateFromIntegration } from './team/coder/git.ts'
import { logAnomaly, logDiscovery, settleDiscovery } from './view/report.ts'

/** What the agents of a team do on a board, some of it beside people; their tools are made from these. */
export const agentOperations = [
  addTask,
  editTask,
  finalizeTask,
  supersedeTask,
  abandonTask,
  unblockTask,
  writeCheckpoint,
  commitWork,
  updateFromIntegration,
  submitForReview,
  markBlocked,
  writeHandoff,
  submitVerdict,
  logAnomaly,
  logDiscovery,
  settleDiscovery,
  checkpointBoard,
] as const satisfies readonly Operation<string, BoardContext>[]
