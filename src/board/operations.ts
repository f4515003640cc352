import { unblockTask } from './task/unblock.ts'

/** What can be done on a board. */
export const boardOperations = [unblockTask] as const
