import { agentOperations } from './agent-operations.ts'
import { approvePlan } from './task/approve-plan.ts'
import { freeAgentId, leaveTeam } from './agent/register.ts'
import { holdTask } from './task/block.ts'
import { claimTask } from './task/claim.ts'
import { mergeTask } from './task/merge.ts'
import { rejectTask } from './task/reject-by-person.ts'
import { reviewTask } from './task/review.ts'
import { releaseTask } from './task/release.ts'
import { getTask } from './task/show.ts'
import { getTaskDiff, listTaskFiles, readTaskFile } from './view/work.ts'
import { configureBoard, specifyGoal } from './goal/configure.ts'
import { abortBoard, pauseBoard, resumeBoard } from './goal/control.ts'
import { initBoard } from './goal/init.ts'
import { syncBoard } from './goal/take-in.ts'
import { analyzeBoard } from './health/circuit-breaker.ts'
import { validateBoard } from './health/validate.ts'
import { listAlarms } from './health/watch.ts'
import { importState } from './import/import.ts'
import { listBoards, viewBoard } from './view/board.ts'
import { listTasks } from './view/cards.ts'
import { viewGraph } from './view/graph.ts'
import { listActivity, listRecords } from './view/log.ts'
import { listWaiting } from './view/next.ts'
import { addHumanNote, recordSpecChange } from './view/report.ts'
import { addRetrospective, viewSprint } from './view/sprint.ts'
import { viewReport } from './view/sprint-report.ts'
import { exportBoard } from './view/state.ts'

/** What can be done on a board. */
export const boardOperations = [
  ...agentOperations,
  approvePlan,
  holdTask,
  claimTask,
  reviewTask,
  mergeTask,
  rejectTask,
  freeAgentId,
  leaveTeam,
  releaseTask,
  getTask,
  getTaskDiff,
  listTaskFiles,
  readTaskFile,
  pauseBoard,
  resumeBoard,
  abortBoard,
  configureBoard,
  specifyGoal,
  syncBoard,
  analyzeBoard,
  addHumanNote,
  recordSpecChange,
  addRetrospective,
  listTasks,
  viewBoard,
  listWaiting,
  viewGraph,
  viewSprint,
  viewReport,
  listActivity,
  listRecords,
  listAlarms,
  exportBoard,
] as const

/** What can be done in a folder that need not have a board yet. */
export const projectOperations = [initBoard, listBoards, importState, validateBoard] as const
