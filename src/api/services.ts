import type { TeamPlays } from '../board/team/background.ts'
import type { ChatContext } from '../chat/context.ts'
import type { JobPlays } from '../jobs/background.ts'
import type { Driver } from '../store/driver.ts'
import type { CatalogueReader } from '../workflows/files/catalogue.ts'
import type { PlayContext } from '../workflows/play/context.ts'
import type { Live } from './live.ts'

/** What the handlers work with; put together by the one who starts the server. */
export interface ServerContext {
  version: string
  driver: Driver
  /** The folder the server was started in. */
  workspace: string
  /** The model of roles that name none. */
  model: string
  live: Live
  /** Where the chats are played. */
  context: ChatContext
  /** The workflows of the folder. */
  catalogue: CatalogueReader
  /** Where workflows are played. */
  plays: PlayContext
  /** Where jobs are worked on. */
  jobs: JobPlays
  /** Where teams work on boards. */
  teams: TeamPlays
}
