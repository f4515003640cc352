import type { Command } from 'commander'
import { defineBoardControl } from './board-control.ts'
import { defineBoardFiles } from './board-files.ts'
import { defineBoardLook } from './board-look.ts'
import { defineBoardPlan } from './board-plan.ts'
import { defineBoardRecords } from './board-records.ts'
import { defineBoardWork } from './board-work.ts'

/** `troupe board …`: plan, work, review, merge and look after a board by hand. */
export function define(board: Command): void {
  defineBoardPlan(board)
  defineBoardWork(board)
  defineBoardRecords(board)
  defineBoardControl(board)
  defineBoardLook(board)
  defineBoardFiles(board)
}
