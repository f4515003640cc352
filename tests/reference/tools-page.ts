import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { movesOf } from '../../src/board/team/moves.ts'
import { TeamRole } from '../../src/domain/board/agent.ts'
import { boundsOf } from '../../src/domain/bounds.ts'
import { permissions } from '../../src/domain/permission.ts'
import { modeOf, type LoadedRole } from '../../src/domain/role.ts'
import { mcpTools } from '../../src/mcp/tools.ts'
import { builtInDir, loadRoles } from '../../src/roles/load.ts'
import { allTools } from '../../src/tools/all.ts'
import { toolsFor } from '../../src/tools/authorize.ts'
import { code, page, table } from './markdown.ts'
import { commandSettingsWith } from '../../src/sandbox/test-command-settings.ts'

/** Who may do what: the built-in roles and what the gate would let them call. */
export async function toolsPage(): Promise<string> {
  const nowhere = join(tmpdir(), 'no-such-folder') // only the built-in roles
  const loaded = await loadRoles({ builtInDir, userDir: nowhere, projectDir: nowhere })
  const roles = loaded.ids.map((id) => loaded.need(id))
  return page('Roles, permissions and tools', 'the role files, the tools and the gate', [
    'A permission that is not listed is denied. *Write* changes a file that is there, *create* makes one that is not.',
    table(
      ['Role', 'Mode', ...permissions.map((name) => code(name)), 'May start'],
      roles.map((role) => [
        code(role.id),
        modeOf(role),
        ...permissions.map((name) => (role.permissions.includes(name) ? 'yes' : '')),
        role.can_delegate_to_roles.map(code).join(', '),
      ]),
    ),
    '## Tools',
    table(
      ['Tool', 'Does', 'Needs', 'Roles that may call it'],
      allTools.map((tool) => [
        code(tool.name),
        tool.description,
        tool.required_permissions.map(code).join(', '),
        roles.flatMap((role) => (callableBy(role).includes(tool) ? [role.id] : [])).join(', '),
      ]),
    ),
    '## Moves on the board',
    table(
      ['Role', 'Move', 'Does'],
      TeamRole.options.flatMap((role) => movesOf(role).map(({ name, description }) => [code(role), code(name), description])),
    ),
    '## Over MCP',
    table(
      ['Tool', 'Does'],
      mcpTools.map(({ name, description }) => [code(name), description]),
    ),
  ])
}

/** As on a machine with a sandbox, where the user has settled nothing. */
function callableBy(role: LoadedRole) {
  return toolsFor(
    {
      role: role.id,
      permissions: role.permissions,
      bounds: boundsOf(role),
      approvals: { tools: {}, never_ask: false },
      plan: null,
      commands: commandSettingsWith(),
      sandbox: { kind: 'bubblewrap' },
    },
    allTools,
  )
}
