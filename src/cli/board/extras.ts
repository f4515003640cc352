import { say } from '../terminal.ts'
import { taskDetails, taskLine } from './text.ts'

/** What the terminal adds to the operations of a board: tables for people, and exit codes for scripts. */
export const boardExtras = {
  'board.add_task': { print: taskLine },
  'board.edit_task': { print: taskLine },
  'board.finalize_task': {
    finish(task: { notices: readonly string[] }) {
      for (const notice of task.notices) say(notice)
      return task
    },
    print: taskLine,
  },
  'board.supersede_task': {
    print: ({ task, replacements }: { task: Shown; replacements: readonly Shown[] }) => [task, ...replacements].map(taskLine).join('\n'),
  },
  'board.abandon_task': { print: taskLine },
  'board.unblock_task': { print: taskLine },
  'board.hold_task': { print: taskLine },
  'board.release_task': { print: taskLine },
  'board.get_task': { print: taskDetails },
}

type Shown = Parameters<typeof taskLine>[0]
