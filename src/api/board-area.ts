import * as z from 'zod'
import type { BoardContext } from '../board/context.ts'
import { needBoard } from '../board/find.ts'
import { boards } from '../store/tables.ts'
import { openRepository } from '../worktrees/repository.ts'
import { USER } from './handlers/desk.ts'
import type { HttpArea } from './operation-routes.ts'
import type { ServerContext } from './services.ts'

const Scope = z.object({ board: z.string().optional().describe('the id of a board; that of the server’s own folder when left out') })

/** What names a board over HTTP. */
export const boardScope = Scope.shape

/** A board of the store, used by the person who holds the token of the server. */
export function boardArea({ driver, workspace }: ServerContext): HttpArea<BoardContext> {
  return {
    scope: boardScope,
    async open(scope) {
      const { board } = Scope.parse(scope)
      const { id, root } = board === undefined ? await needBoard(driver, workspace) : (await boards.get(driver, board)).item
      return { driver, board_id: id, repository: await openRepository(root), actor: { human: USER } }
    },
  }
}
