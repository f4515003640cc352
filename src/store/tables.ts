import { BoardAgent } from '../domain/board/agent.ts'
import { BoardRecord } from '../domain/board/record.ts'
import { Board, boardKey } from '../domain/board/board.ts'
import { Chat } from '../domain/chat.ts'
import { JobInteraction } from '../domain/job/history.ts'
import { Job, JobMove } from '../domain/job/job.ts'
import { Task } from '../domain/board/task.ts'
import { WorkflowPlay, WorkflowPlayStep } from '../domain/workflow/play.ts'
import { WorkflowRun, WorkflowRunStep, WorkflowVersion } from '../domain/workflow/run.ts'
import { defineCollection } from './collection.ts'

// Every collection of the store, with the columns it is searched by. A new one needs a line here and one in `migrations.ts`.
export { allowedCommands, entries, plans, questions, runs, settledHosts } from './run-tables.ts'
export const workflowRuns = defineCollection('workflow_runs', WorkflowRun, ['workflow_id', 'status', 'updated_at'])
export const workflowRunSteps = defineCollection('workflow_run_steps', WorkflowRunStep, ['run_id', 'number'])
export const workflowVersions = defineCollection('workflow_versions', WorkflowVersion, ['workflow_id'])
export const workflowPlays = defineCollection('workflow_plays', WorkflowPlay, ['status'])
export const workflowPlaySteps = defineCollection('workflow_play_steps', WorkflowPlayStep, ['run_id', 'number'])
export const chats = defineCollection('chats', Chat, ['updated_at'])
export const jobs = defineCollection('jobs', Job, ['status', 'rank'])
export const jobInteractions = defineCollection('job_interactions', JobInteraction, ['job_id', 'sequence'])
export const jobMoves = defineCollection('job_moves', JobMove, ['job_id', 'number'])
export const boards = defineCollection('boards', Board, ['root'])
export const boardAgents = defineCollection('board_agents', BoardAgent, ['board_id'], boardKey)
export const boardRecords = defineCollection('board_records', BoardRecord, ['board_id', 'kind', 'task'])
export const tasks = defineCollection(
  'tasks',
  Task,
  ['board_id', 'number', 'status', 'priority', 'unmet', 'assigned_to', 'lease_expires', 'reviewing_by', 'review_lease_expires'],
  boardKey,
)
