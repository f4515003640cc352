import type { Command } from 'commander'
import { loadConfig } from '../../config/load.ts'
import { roleFolders } from '../../config/wiring.ts'
import { Problem } from '../../domain/problem.ts'
import { detectSandbox } from '../../sandbox/detect.ts'
import { allTools } from '../../tools/all.ts'
import { roleOperations } from '../../tools/operations.ts'
import type { CheckContext } from '../../tools/role-check.ts'
import { addCommands, suggested, type CommandArea } from '../operation-commands.ts'
import { print, say } from '../terminal.ts'
import { checkSummary, roleChecksText, explanationText, roleListText, roleDetails } from './text.ts'

/** The roles of this folder. */
const roleArea: CommandArea<CheckContext> = { addOptions() {}, within: async (_options, _operation, work) => work(await openCheck()) }

/** `troupe roles list | show | check | explain | trust | tools` */
export function define(roles: Command): void {
  addCommands(roles, roleOperations, roleArea, {
    'role.list': {
      print: (listed) => {
        for (const warning of listed.warnings) say(suggested(roleOperations, warning))
        return roleListText(listed)
      },
    },
    'role.show': { print: roleDetails },
    'role.explain': { print: explanationText },
    'role.check': {
      print: roleChecksText,
      finish: (report, { json }) => {
        const wrong = checkSummary(report)
        if (wrong === null) return report
        if (json !== true) print(roleChecksText(report))
        throw new Problem('bad_input', wrong, { details: { ...report } })
      },
    },
  })
}

async function openCheck(): Promise<CheckContext> {
  const root = process.cwd()
  const loaded = await loadConfig({ env: process.env, cwd: root })
  const { config } = loaded
  return {
    folders: roleFolders(loaded, root),
    tools: allTools,
    root,
    sandbox: await detectSandbox(),
    unsandboxed: config.sandbox.unsandboxed,
    approvals: { tools: config.approvals, never_ask: false },
    allowedSecrets: config.allowed_secrets,
  }
}
