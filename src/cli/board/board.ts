import type { Command } from 'commander'
import { boardOperations, projectOperations } from '../../board/operations.ts'
import { addCommands } from '../operation-commands.ts'
import { boardArea, projectArea } from './area.ts'
import { boardExtras } from './extras.ts'
import { goalExtras, projectExtras } from './print.ts'

/** `troupe board …`: plan, work, review, merge and look after a board by hand. */
export function define(board: Command): void {
  addCommands(board, projectOperations, projectArea, projectExtras)
  addCommands(board, boardOperations, boardArea, { ...boardExtras, ...goalExtras })
}
