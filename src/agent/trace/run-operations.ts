import { listAgentRuns, showAgentRun } from '../runs.ts'
import { traceRun } from './trace.ts'

/** What can be looked up about runs, whatever began them. */
export const runOperations = [listAgentRuns, showAgentRun, traceRun] as const
