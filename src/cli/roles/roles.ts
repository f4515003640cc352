import type { Command } from 'commander'
import { loadConfig } from '../../config/load.ts'
import { roleFolders } from '../../config/wiring.ts'
import { Problem } from '../../domain/problem.ts'
import { loadRoles } from '../../roles/load.ts'
import { trustRoleFile } from '../../roles/trust.ts'
import { detectSandbox } from '../../sandbox/detect.ts'
import { allTools } from '../../tools/all.ts'
import type { RoleContext } from '../../tools/role-view.ts'
import { rolesCheck, rolesCheckSummary, rolesCheckText, type CheckDesk } from './check.ts'
import { explainFor, rolesExplainText, rolesList, rolesListText, rolesShow, rolesShowText } from './reports.ts'
import { print, printJson, printResult, say } from '../terminal.ts'
import { verb } from '../verb.ts'

/** `troupe roles list | show | check | explain | trust` */
export function define(roles: Command): void {
  roles.command('list').description('list every role, what it may do and where it was read').action(verb(list))
  roles.command('show <id>').description('show one role in full, with its prompt').action(verb(show))
  roles
    .command('check [files...]')
    .description('check role files and try the calls in their examples; without a file, all that a start would read')
    .action(verb(check))
  roles
    .command('explain <role> <tool>')
    .description('say which rule decides about a call, and why')
    .argument('[input...]', 'the arguments as JSON or as name=text')
    .action(verb(explain))
  roles
    .command('trust <files...>')
    .description('give new roles of this project the rights their files state, until they change')
    .action(verb(trust))
}

async function list(json: boolean): Promise<void> {
  const listed = rolesList(await openDesk())
  if (json) return printJson(listed)
  print(rolesListText(listed))
  for (const warning of listed.warnings) say(warning)
}

async function show(json: boolean, id: string): Promise<void> {
  const shown = rolesShow(await openDesk(), id)
  printResult(json, shown, rolesShowText(shown))
}

async function check(json: boolean, files: string[]): Promise<void> {
  const report = await rolesCheck(await openCheckDesk(), files)
  const wrong = rolesCheckSummary(report)
  if (wrong === null && json) return printJson(report)
  if (!json) print(rolesCheckText(report))
  if (wrong !== null) throw new Problem('bad_input', wrong, { details: { ...report } })
}

async function explain(json: boolean, role: string, tool: string, words: string[]): Promise<void> {
  const desk = await openDesk()
  const explained = await explainFor(desk, desk.roles.need(role), tool, words.length === 0 ? undefined : inputFrom(words))
  printResult(json, explained, rolesExplainText(explained))
}

async function trust(json: boolean, files: string[]): Promise<void> {
  const { folders } = await openCheckDesk()
  for (const file of files) await trustRoleFile(file, folders.userDir)
  printResult(json, { trusted: files }, `Trusted as they are now: ${files.join(', ')}`)
}

async function openDesk(): Promise<RoleContext> {
  const { folders, ...desk } = await openCheckDesk()
  return { ...desk, roles: await loadRoles(folders) }
}

async function openCheckDesk(): Promise<CheckDesk & { folders: { userDir: string } }> {
  const root = process.cwd()
  const loaded = await loadConfig({ env: process.env, cwd: root })
  const { config, places } = loaded
  return {
    folders: { ...roleFolders(loaded, root), userDir: places.user_roles },
    tools: allTools,
    root,
    sandbox: await detectSandbox(),
    unsandboxed: config.sandbox.unsandboxed,
    approvals: { tools: config.approvals, never_ask: false },
    allowedSecrets: config.allowed_secrets,
  }
}

/** Arguments as a person writes them: one JSON object, or `path=README.md` and the like. */
function inputFrom(words: readonly string[]): unknown {
  const text = words.join(' ')
  if (!text.trimStart().startsWith('{')) return Object.fromEntries(words.map(pair))
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Problem('bad_input', `the arguments are not JSON (${String(error)}); write {"path":"README.md"} or path=README.md`, {
      cause: error,
    })
  }
}

function pair(word: string): [string, string] {
  const at = word.indexOf('=')
  if (at < 1) throw new Problem('bad_input', `${JSON.stringify(word)} is no argument; write {"path":"README.md"} or path=README.md`)
  return [word.slice(0, at), word.slice(at + 1)]
}
