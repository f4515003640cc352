import type { Hono } from 'hono'
import { boardOperations, projectOperations } from '../board/operations.ts'
import { teamOperations } from '../board/team/background.ts'
import { chatOperations } from '../chat/operations.ts'
import { jobOperations } from '../jobs/operations.ts'
import { workflowOperations, workflowPlayOperations } from '../workflows/operations.ts'
import { boardArea, projectArea, teamsArea } from './areas/board.ts'
import { chatArea } from './areas/chat.ts'
import { runOperations } from '../agent/runs.ts'
import { settingsOperations } from '../config/settings.ts'
import { roleOperations } from '../tools/operations.ts'
import { roleArea } from './areas/role.ts'
import { runArea } from './areas/run.ts'
import { settingsArea } from './areas/settings.ts'
import { systemArea } from './areas/system.ts'
import { jobArea } from './areas/job.ts'
import { workflowArea } from './areas/workflow.ts'
import { addOperations } from './operation-routes.ts'
import type { ServerContext } from './services.ts'
import { systemOperations } from './system.ts'

/** Answers the operations of every area. */
export function addAreas(app: Hono, server: ServerContext): void {
  addOperations(app, boardOperations, boardArea(server))
  addOperations(app, teamOperations, teamsArea(server))
  addOperations(app, projectOperations, projectArea(server))
  addOperations(app, [...workflowOperations, ...workflowPlayOperations], workflowArea(server))
  addOperations(app, chatOperations, chatArea(server))
  addOperations(app, jobOperations, jobArea(server))
  addOperations(app, roleOperations, roleArea(server))
  addOperations(app, runOperations, runArea(server))
  addOperations(app, settingsOperations, settingsArea(server))
  addOperations(app, systemOperations, systemArea(server))
}
