import { checkText, workflowFormat } from './files/check.ts'
import { advanceStep, nextStepOf, resumeRuns, startByClient } from './follow.ts'
import { judgeOutput } from './judge.ts'
import { listWorkflows } from './list.ts'
import { migrateText } from './files/migrate-file.ts'
import { answerInBackground, continueInBackground, playInBackground } from './play/in-background.ts'
import { stopPlay } from './play/stop.ts'
import { listWorkflowRuns, showWorkflowRun } from './play/view.ts'
import { createProjectFile, readProjectFile, saveProjectFile } from './files/project-file.ts'
import { showWorkflow } from './show.ts'

/** What can be done with workflows and their runs. */
export const workflowOperations = [
  listWorkflows,
  showWorkflow,
  startByClient,
  nextStepOf,
  advanceStep,
  resumeRuns,
  listWorkflowRuns,
  showWorkflowRun,
  stopPlay,
  judgeOutput,
  checkText,
  workflowFormat,
  migrateText,
  createProjectFile,
  readProjectFile,
  saveProjectFile,
] as const

/** What can be done where Troupe's own agent carries out workflows in the background. */
export const workflowPlayOperations = [playInBackground, answerInBackground, continueInBackground] as const
