import { once } from 'node:events'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { Hono } from 'hono'
import { stopPlaying } from '../agent/run/background.ts'
import { openAt } from '../api/listen.ts'
import { isLoopback } from '../api/door.ts'
import { createLive } from '../api/live.ts'
import { listen } from '../api/listen.ts'
import { readPage } from '../api/page.ts'
import { createApp } from '../api/server.ts'
import type { ServerContext } from '../api/services.ts'
import { ownToken } from '../api/token.ts'
import { keepProjection } from '../board/view/projection.ts'
import { openTeamPlays } from '../board/team/background.ts'
import { continueWaiting } from '../chat/continue-waiting.ts'
import { openChatContext } from '../chat/context.ts'
import { commandSettings, providerSettings, secretsOf } from '../config/wiring.ts'
import { messageOf } from '../domain/problem.ts'
import { defaultModel } from '../providers/open.ts'
import { openCatalogue, workflowFolders } from '../workflows/files/catalogue.ts'
import { openPlayContext } from '../workflows/play/context.ts'
import { openRepository } from '../worktrees/repository.ts'
import { jobContextOn } from './job/area.ts'
import { processContext } from './open/process-context.ts'
import { openToPlay, partsIn, type OpenParts } from './open/parts.ts'
import { needModels, stationAt } from './team/open-team.ts'
import { stopSignal } from './stop-signal.ts'
import { print, printJsonLine, rehearsalNotice, say } from './terminal.ts'
import { workflowServices } from './workflow/services.ts'
import packageJson from '../../package.json' with { type: 'json' }

const BODY_BYTES = 32 * 1024 * 1024

interface ServeOptions {
  port?: number | string
  host: string
  json?: boolean
}

/** `troupe serve [--port N] [--host H]` */
export function define(serve: Command): void {
  serve
    .option('--port <number>', 'use exactly this port; the default is TROUPE_PORT, or 4747, or the next free one', (text) =>
      /^\d+$/.test(text) ? Number(text) : text,
    )
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .action(async (_options: unknown, command: Command) => serveUntilStopped(command.optsWithGlobals<ServeOptions>()))
}

async function serveUntilStopped({ port, host, json }: ServeOptions): Promise<void> {
  const stopping = stopSignal()
  const parts = await openToPlay(process.cwd(), { port })
  const { loaded } = parts
  const services = servicesOn(parts)
  const writeLast = await keepBoardFiles(services)
  const ending = new AbortController() // also where it cannot be served at all
  const ended = AbortSignal.any([stopping, ending.signal])
  const takingUp = continueWaiting(services.context, ended)
  let notifying: Promise<void> | undefined
  try {
    const token = await ownToken(loaded.places.home)
    const page = await readPage(join(import.meta.dirname, '../../web/dist'))
    const app = createApp({ token, host, bodyBytes: BODY_BYTES, services, page, stopping })
    mountMcp(app, services)
    const server = await listen(app, { host, port: loaded.config.port, exact: port !== undefined })
    const addresses = openAt(host, server.port).map((address) => `${address}/#token=`)
    const [url, ...others] = addresses.map((address) => address + token)
    if (json) printJsonLine({ url, others, port: server.port, token })
    else announce(addresses, token, loaded.places.home)
    const asked = loaded.config.port
    if (asked !== 0 && server.port !== asked)
      say(`Port ${asked} is taken, perhaps by another troupe serve, so this one is on ${server.port}.`)
    notifying = notifyPerson(parts, addresses, ended)
    if (services.model === 'rehearsal') say(rehearsalNotice)
    if (!isLoopback(host)) say('Anyone with the token can use this from the network, and the connection is not encrypted.')
    if (!stopping.aborted) await once(stopping, 'abort')
    await server.close()
  } finally {
    ending.abort()
    await takingUp
    await notifying
    for (const { playing } of [services.context, services.plays, services.jobs, services.teams]) await stopPlaying(playing)
    await writeLast()
    await services.driver.close()
  }
}

/** Answers MCP under `/mcp`, which the app guards. The protocol is loaded by the first client that speaks it. */
function mountMcp(app: Hono, { driver }: ServerContext): void {
  let answer: Promise<(request: Request) => Promise<Response>> | undefined
  app.all('/mcp', async (c) => {
    answer ??= import('../mcp/http.ts').then(({ createMcpFetch }) => createMcpFetch(workflowServices(async () => driver)))
    return (await answer)(c.req.raw)
  })
}

/** Started in a repository, the server keeps the copies of its board up to date with what is done on the page. */
async function keepBoardFiles({ driver, workspace }: ServerContext): Promise<() => Promise<void>> {
  const repository = await openRepository(workspace).catch(() => null) // a folder without one has no board
  return repository === null ? async () => undefined : keepProjection({ driver, repository })
}

/** Where the page is is told by the address that others reach, if there is one; never with the token. */
async function notifyPerson({ loaded, env, driver }: OpenParts, addresses: readonly string[], stopping: AbortSignal): Promise<void> {
  if (Object.keys(loaded.config.notifications).length === 0) return
  const { openChannels } = await import('../api/notify/channels.ts')
  const { notifyUntil } = await import('../api/notify/notify.ts')
  const page = new URL(addresses[1] ?? addresses[0] ?? '').origin
  const channels = openChannels(loaded.config.notifications, env, say)
  await notifyUntil({ driver, channels, page, secrets: secretsOf(loaded, env), say }, stopping).catch((error: unknown) =>
    say(`Notifications stopped: ${messageOf(error)}`),
  )
}

/** What a service of systemd prints ends up in a log that others read; `JOURNAL_STREAM` is in a terminal's environment too. */
function announce(addresses: readonly string[], token: string, home: string): void {
  const isLogged = process.env['JOURNAL_STREAM'] !== undefined && !process.stdout.isTTY
  const [own, ...others] = addresses.map((address) => address + (isLogged ? 'TOKEN' : token))
  const network = others.length === 0 ? '' : ` and, from the network, at ${others.join(' and ')}`
  print(`Troupe is at ${own}${network}${isLogged ? `; the token is in ${join(home, 'token')}` : ''}`)
}

function servicesOn(parts: OpenParts): ServerContext {
  const { loaded, env, driver, sandbox } = parts
  const live = createLive()
  const context = processContext(parts, process.cwd(), live.watch)
  return {
    version: packageJson.version,
    driver,
    workspace: process.cwd(),
    model: defaultModel(providerSettings(loaded, env)),
    live,
    context: openChatContext(context),
    catalogue: openCatalogue(workflowFolders(process.cwd())),
    plays: openPlayContext(context),
    jobs: { ...jobContextOn(parts, context), playing: new Map() },
    teams: openTeamPlays(async (place, members, { model, budgets }, tell) => {
      const own = await partsIn(parts, place.repository.root)
      await needModels(own, members, model)
      return stationAt(own, { ...place, sandbox, commands: commandSettings(own.loaded) }, model, budgets, {
        onRun: () => undefined,
        say: tell,
      })
    }),
  }
}
