import { agentOperations } from './agent-operations.ts'

/** What can be done on a board. */
export const boardOperations = [...agentOperations] as const
