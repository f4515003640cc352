import type { ChatContext } from '../../chat/context.ts'
import { dryRun } from '../../store/dry-run.ts'
import type { HttpArea } from '../operation-routes.ts'
import type { ServerContext } from '../services.ts'

/** The chats of the store, used by the person who holds the token of the server; their turns are played in the background. */
export function chatRoutes({ driver, context }: ServerContext): HttpArea<ChatContext> {
  return {
    scope: {},
    within: ({ dry }, work) =>
      dry ? dryRun(driver, (tx) => work({ ...context, agent: { ...context.agent, driver: tx } })) : work(context),
  }
}
