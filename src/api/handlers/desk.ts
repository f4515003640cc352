import type { BoardRepository } from '../../board/desk.ts'
import { boards } from '../../store/tables.ts'
import { openRepository } from '../../worktrees/repository.ts'
import type { ServerContext } from '../services.ts'

/** Who acts through the server: the person who holds its token, and never an agent. */
export const USER = 'user'

/** A board of this server with the repository its tasks are about. */
export async function deskAt({ driver }: Pick<ServerContext, 'driver'>, board_id: string): Promise<BoardRepository> {
  const { root } = (await boards.get(driver, board_id)).item
  return { driver, board_id, repository: await openRepository(root) }
}
