import { resolve } from 'node:path'
import type { Command } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { stopPlaying } from '../agent/run/background.ts'
import type { AcpServices } from '../acp/services.ts'
import { serveAcp } from '../acp/serve.ts'
import type { RunEvent } from '../domain/event.ts'
import { say } from './terminal.ts'

/** `troupe acp`: Troupe as an agent in an editor, over stdin and stdout. */
export function define(acp: Command): void {
  acp.option('--role <id>', 'the role of a new session', 'planner').action(async ({ role }: { role: string }) => {
    if (process.stdin.isTTY)
      say('This command is for an editor, not a person; docs/editors.md shows how to add it to yours. Ctrl+D ends it.')
    await serveAcp(openServices, { newRole: role, version: packageJson.version })
  })
}

/** Loaded with the first session: an editor asks who is there before it needs anything. */
async function openServices(onEvent: (event: RunEvent) => void): Promise<AcpServices> {
  const [{ openParts }, { processContext }, { openChatContext }, { obey, orders }, { configuredModels }] = await Promise.all([
    import('./open/parts.ts'),
    import('./open/process-context.ts'),
    import('../chat/context.ts'),
    import('./chat/orders.ts'),
    import('../config/wiring.ts'),
  ])
  const workspace = resolve('.')
  const parts = await openParts(workspace)
  const context = openChatContext(processContext(parts, workspace, onEvent))
  return {
    context,
    models: configuredModels(parts.loaded, parts.env),
    commands: Object.entries(orders)
      .filter(([name]) => !ofTerminal.has(name))
      .map(([name, { takes, about }]) => ({ name, description: about, hint: takes })),
    obey: async (chatId, line, tell) => {
      const talk = {
        context,
        chatId,
        tell,
        leave: () => undefined,
        turnTo: async () => undefined,
        toShow: false,
        switchingTo: null,
        attachments: [],
        json: false,
      }
      return obey(talk, line)
    },
    close: async () => {
      await stopPlaying(context.playing)
      await parts.driver.close()
    },
  }
}

/** Commands that are about the terminal itself; an editor has its own ways. */
const ofTerminal = new Set(['quit', 'help', 'resume', 'stop', 'attach'])
