import type { Hono } from 'hono'
import { boardOperations, projectOperations } from '../board/operations.ts'
import { teamOperations } from '../board/team/background.ts'
import { chatOperations } from '../chat/operations.ts'
import { jobOperations } from '../jobs/operations.ts'
import { workflowOperations, workflowPlayOperations } from '../workflows/operations.ts'
import { boardRoutes, projectRoutes, teamsArea } from './areas/board.ts'
import { chatRoutes } from './areas/chat.ts'
import { runOperations } from '../agent/runs.ts'
import { settingsOperations } from '../config/settings.ts'
import { roleOperations } from '../tools/operations.ts'
import { roleArea } from './areas/role.ts'
import { runArea } from './areas/run.ts'
import { settingsArea } from './areas/settings.ts'
import { systemArea } from './areas/system.ts'
import { jobRoutes } from './areas/job.ts'
import { workflowRoutes } from './areas/workflow.ts'
import { addOperations } from './operation-routes.ts'
import type { ServerContext } from './services.ts'
import { systemOperations } from './system.ts'

/** Answers the operations of every area. */
export function addAreas(app: Hono, server: ServerContext): void {
  addOperations(app, boardOperations, boardRoutes(server))
  addOperations(app, teamOperations, teamsArea(server))
  addOperations(app, projectOperations, projectRoutes(server))
  addOperations(app, [...workflowOperations, ...workflowPlayOperations], workflowRoutes(server))
  addOperations(app, chatOperations, chatRoutes(server))
  addOperations(app, jobOperations, jobRoutes(server))
  addOperations(app, roleOperations, roleArea(server))
  addOperations(app, runOperations, runArea(server))
  addOperations(app, settingsOperations, settingsArea(server))
  addOperations(app, systemOperations, systemArea(server))
}
