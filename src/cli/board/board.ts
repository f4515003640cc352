import type { Command } from 'commander'
import { defineBoardControl } from './control.ts'
import { defineBoardFiles } from './files.ts'
import { defineBoardLook } from './look.ts'
import { defineBoardPlan } from './plan.ts'
import { defineBoardRecords } from './records.ts'
import { defineBoardWork } from './work.ts'

/** `troupe board …`: plan, work, review, merge and look after a board by hand. */
export function define(board: Command): void {
  defineBoardPlan(board)
  defineBoardWork(board)
  defineBoardRecords(board)
  defineBoardControl(board)
  defineBoardLook(board)
  defineBoardFiles(board)
}
