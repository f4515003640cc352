import type { Hono } from 'hono'
import { chatOperations } from '../chat/operations.ts'
import { boardOperations } from '../board/operations.ts'
import { jobOperations } from '../jobs/operations.ts'
import { workflowOperations, workflowPlayOperations } from '../workflows/operations.ts'
import { chatArea } from './areas/chat.ts'
import { boardArea } from './areas/board.ts'
import { jobArea } from './areas/job.ts'
import { workflowArea } from './areas/workflow.ts'
import { addOperations } from './operation-routes.ts'
import type { ServerContext } from './services.ts'

/** Answers the operations of every area. */
export function addAreas(app: Hono, server: ServerContext): void {
  addOperations(app, boardOperations, boardArea(server))
  addOperations(app, [...workflowOperations, ...workflowPlayOperations], workflowArea(server))
  addOperations(app, chatOperations, chatArea(server))
  addOperations(app, jobOperations, jobArea(server))
}
