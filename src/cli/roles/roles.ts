import type { Command } from 'commander'
import { loadConfig } from '../../config/load.ts'
import { commandSettings, outsideServers, roleFolders } from '../../config/wiring.ts'
import { Problem } from '../../domain/problem.ts'
import { modelsOf } from '../../domain/role.ts'
import { detectSandbox } from '../../sandbox/detect.ts'
import { allTools } from '../../tools/all.ts'
import { serverTools } from '../../tools/outside/server-tools.ts'
import { roleOperations } from '../../tools/operations.ts'
import { type CheckContext, isRight, type CheckedFile, type checkRoles } from '../../tools/role-check.ts'
import { addCommands, suggested, type CommandArea } from '../operation-commands.ts'
import { print, say, columns } from '../terminal.ts'
import type * as z from 'zod'
import type { rolePermissions } from '../../domain/permission.ts'
import { counted } from '../../domain/text/format.ts'
import { faultText, visible } from '../../roles/fault.ts'
import { reachWords } from '../../domain/network/role-reach.ts'
import type { explainCall, listRoles, showRole } from '../../tools/role-operations.ts'

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
  const { config, places } = loaded
  return {
    folders: roleFolders(loaded, root),
    tools: [...allTools, ...serverTools(outsideServers(loaded, process.env))],
    root,
    sandbox: await detectSandbox(places.sandbox_memory),
    commands: commandSettings(loaded),
    approvals: { tools: config.approvals, never_ask: false },
  }
}

/** The roles as a table. */
function roleListText({ roles }: z.output<(typeof listRoles)['output']>): string {
  const rows = roles.map((role) => [role.id, role.mode, heldWords(role.permissions), sourceWords(role), role.description])
  return columns([['ROLE', 'MODE', 'MAY', 'FROM', ''], ...rows])
}

/** One role: what is enforced, then what it is told. */
function roleDetails(shown: z.output<(typeof showRole)['output']>): string {
  const facts = [
    ['name', shown.name],
    ['description', shown.description],
    ['mode', shown.mode],
    ['may', heldWords(shown.permissions)],
    ...reachWords(shown),
    ['delegates to', shown.can_delegate_to_roles.join(', ') || 'no one'],
    ['model', modelsOf(shown).join(', then ')],
    ['looks', `${shown.color}, ${shown.icon}`],
    ['from', `${shown.file} (${shown.source})`],
    ...(shown.withheld.length === 0 ? [] : [['withheld', `${shown.withheld.join(', ')}, until: troupe roles trust ${shown.file}`]]),
    ['tools', shown.tools.join(', ') || 'none'],
  ]
  return `${columns(facts)}\n\n${shown.prompt}`
}

/** What decides about a call. */
function explanationText({ role, tool, verdict, rule, reason }: z.output<(typeof explainCall)['output']>): string {
  const says = { allow: 'may call', ask: 'may call, once a person agrees,', deny: 'may not call' }
  return `${role} ${says[verdict]} ${visible(tool)}\n${columns([
    ['rule', rule],
    ['why', reason],
  ])}`
}

/** A role whose rights wait must not look like one that only reads. */
function sourceWords({ source, withheld }: { source: string; withheld: readonly string[] }): string {
  return withheld.length === 0 ? source : `${source}, not trusted`
}

function heldWords(held: ReturnType<typeof rolePermissions>): string {
  const words = Object.entries(held).flatMap(([name, may]) => (may ? [name.replace(/^can_/, '').replace(/_.*$/, '')] : []))
  return words.join(' ') || 'nothing'
}

type CheckReport = z.output<(typeof checkRoles)['output']>

/** Each file that was checked: good, or what is wrong with it. */
function roleChecksText({ files }: CheckReport): string {
  return files.flatMap(fileLines).join('\n')
}

/** How many files and examples are wrong, in one sentence; null when none is. */
function checkSummary({ ok, files }: CheckReport): string | null {
  if (ok) return null
  const wrong = files.filter((file) => !isRight(file))
  const faults = wrong.reduce((sum, file) => sum + file.faults.length, 0)
  const examples = wrong.reduce((sum, file) => sum + file.examples.filter((example) => !example.ok).length, 0)
  return `${wrong.length} of ${files.length} role files are wrong: ${counted(faults, 'fault')}, ${counted(examples, 'example')} with another outcome than stated`
}

function fileLines({ file, roles, faults, examples }: CheckedFile): string[] {
  const failed = examples.filter((example) => !example.ok)
  const lines = failed.map((example) => {
    const call = visible(`${example.tool} ${JSON.stringify(example.input)}`)
    const verdict = example.got === 'impossible' ? 'is not a call any role can make' : `should be ${example.expect} and was ${example.got}`
    return `${file}: ${example.role}: ${call} ${verdict}: ${visible(example.reason)}`
  })
  if (faults.length + failed.length > 0) return [...faults.map(faultText), ...lines]
  return [`${file}: good (${roles.join(', ')}; ${examples.length} examples)`]
}
