import * as z from 'zod'
import type { BoardContext } from '../../board/context.ts'
import { needBoard } from '../../board/find.ts'
import { dryRun } from '../../store/dry-run.ts'
import { boards } from '../../store/tables.ts'
import { openRepository } from '../../worktrees/repository.ts'
import { USER } from '../handlers/desk.ts'
import type { HttpArea } from '../operation-routes.ts'
import type { ServerContext } from '../services.ts'

/** What names a board over HTTP. */
export const BoardScope = z.object({
  board: z.string().optional().describe('the id of a board; that of the server’s own folder when left out'),
})

/** A board of the store, used by the person who holds the token of the server. */
export function boardArea({ driver, workspace }: ServerContext): HttpArea<BoardContext> {
  return {
    scope: BoardScope.shape,
    async within({ scope, dry }, work) {
      const { board } = BoardScope.parse(scope)
      const { id, root } = board === undefined ? await needBoard(driver, workspace) : (await boards.get(driver, board)).item
      const context = { driver, board_id: id, repository: await openRepository(root), actor: { human: USER } }
      return dry ? dryRun(driver, (tx) => work({ ...context, driver: tx, dry: true })) : work(context)
    },
  }
}
