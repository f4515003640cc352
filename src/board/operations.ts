import { unblockTask } from './unblock.ts'

/** What can be done on a board. */
export const boardOperations = [unblockTask] as const
