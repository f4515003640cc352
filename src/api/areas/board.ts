import * as z from 'zod'
import type { TeamsContext } from '../../board/team/background.ts'
import type { BoardContext, ProjectContext } from '../../board/context.ts'
import { needBoard } from '../../board/find.ts'
import { asProblem, Problem } from '../../domain/problem.ts'
import type { Driver } from '../../store/driver.ts'
import { dryRun } from '../../store/dry-run.ts'
import { boards } from '../../store/tables.ts'
import { openRepository } from '../../worktrees/repository.ts'
import type { HttpArea } from '../operation-routes.ts'
import type { ServerContext } from '../services.ts'

/** Who acts through the server: the person who holds its token, and never an agent. */
const USER = 'user'

/** What names a board over HTTP. */
export const BoardScope = z.object({
  board: z.string().optional().describe('the id of a board; that of the server’s own folder when left out'),
})

/** A board of the store, used by the person who holds the token of the server. */
export function boardRoutes({ driver: store, workspace, context: { agent } }: ServerContext): HttpArea<BoardContext> {
  const { sandbox, commands } = agent
  return {
    scope: BoardScope.shape,
    async within({ scope, dry }, work) {
      const { board } = BoardScope.parse(scope)
      const { id, root } = board === undefined ? await needBoard(store, workspace) : (await boards.get(store, board)).item
      const opened = await openRepository(root).catch(asProblem)
      const within = (driver: Driver): BoardContext => ({
        driver,
        board_id: id,
        actor: { human: USER },
        dry,
        sandbox,
        commands,
        /** Most can be read and done on a machine that does not have the repository; what needs it says so. */
        get repository() {
          if (opened instanceof Problem) throw opened
          return opened
        },
      })
      return dry ? dryRun(store, (tx) => work(within(tx))) : work(within(store))
    },
  }
}

/** The same with the teams that work in this server. */
export function teamsArea(server: ServerContext): HttpArea<TeamsContext> {
  const board = boardRoutes(server)
  const withTeams = (context: BoardContext): TeamsContext => Object.assign(context, { teams: server.teams, workspace: server.workspace })
  return { scope: board.scope, within: (call, work) => board.within(call, (context) => work(withTeams(context))) }
}

/** The folder the server was started in, which need not have a board. */
export function projectRoutes(server: ServerContext): HttpArea<ProjectContext> {
  return {
    scope: {},
    async within({ dry }, work) {
      const { driver, workspace } = server
      const context = { driver, folder: workspace, actor: { human: USER }, dry }
      return dry ? dryRun(driver, (tx) => work({ ...context, driver: tx })) : work(context)
    },
  }
}
