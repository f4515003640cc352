import type { Handlers } from './dispatch.ts'
import { boardHandlers } from './handlers/board.ts'
import type { RouteName } from './routes.ts'

/** What answers each route of the contract; a route without a handler does not compile. */
export const handlers: Handlers<RouteName> = {
  ...boardHandlers,
}
