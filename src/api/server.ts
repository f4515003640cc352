import { Hono } from 'hono'
import { asProblem, problems, problemView, Problem } from '../domain/problem.ts'
import { limitedBody, sameSite, securityHeaders, tokenHolder, type DoorOptions } from './door.ts'
import { sendEvents } from './events.ts'
import { addAreas } from './areas.ts'
import { openApi } from './openapi.ts'
import { sendPage, type PageFiles } from './page.ts'
import type { ServerContext } from './services.ts'

export interface AppOptions extends DoorOptions {
  services: ServerContext
  page: PageFiles
  /** Ends every open stream when the server stops. */
  stopping: AbortSignal
}

/** Everything the server answers, behind the door. Whoever starts it may add guarded routes of their own under `/mcp`. */
export function createApp(options: AppOptions): Hono {
  const { services, page, stopping } = options
  const app = createGuardedApp(options)
  app.get('/healthz', (c) => c.json({ ok: true, version: services.version }))
  app.get('/api/openapi.json', async (c) => c.json(openApi(services.version, await roleIds(services))))
  app.get('/api/events', (c) => sendEvents(c, services, stopping))
  addAreas(app, services)
  app.notFound(async (c) => {
    const found = c.req.method === 'GET' && !c.req.path.startsWith('/api') ? await sendPage(c, page) : null
    if (found) return found
    throw new Problem('not_found', `there is nothing at ${c.req.method} ${c.req.path}; /api/openapi.json lists what there is`)
  })
  return app
}

/** The door alone: it checks Host, Origin, token and size, and tells every problem in one shape. */
export function createGuardedApp(options: DoorOptions): Hono {
  const app = new Hono()
  app.use(securityHeaders)
  app.use(sameSite(options))
  for (const guarded of ['/api/*', '/mcp', '/mcp/*']) app.use(guarded, tokenHolder(options), limitedBody(options))
  app.onError((error) => Response.json(problemView(error), { status: problems[asProblem(error).code].status }))
  return app
}

async function roleIds({ context, workspace }: ServerContext): Promise<readonly string[]> {
  return (await context.at(workspace)).agent.roles.ids
}
