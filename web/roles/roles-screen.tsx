import { Check, Minus } from 'lucide-react'
import { Link, useParams } from 'wouter'
import { reachWords } from '../../src/domain/network/role-reach.ts'
import type { RoleView } from './role-view.ts'
import { Refusal, useRead } from '../api.ts'
import { servers } from '../shell/places.ts'
import { Badge } from '../ui/status/badge.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Missing } from '../ui/status/missing.tsx'
import { Loading } from '../ui/status/notice.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Explain } from './explain.tsx'
import { RoleBadge } from './role-badge.tsx'

const columns = [
  ['can_read_files', 'Read'],
  ['can_write_files', 'Change'],
  ['can_create_files', 'Create'],
  ['can_delete_files', 'Delete'],
  ['can_execute_commands', 'Run commands'],
] as const satisfies readonly (readonly [keyof RoleView['permissions'], string])[]

const allRoles = { href: '/roles', label: 'All roles' }

/** The permission matrix, drawn from the loaded files, and the question "would this call be allowed, and why?". */
export default function RolesScreen() {
  const { id } = useParams<{ id?: string }>()
  const roles = useRead('role.list', {})
  if (roles.isPending) return <Loading />
  if (roles.isError) return <Missing error={roles.error} what="role" back={allRoles} />
  if (id !== undefined && !roles.data.roles.some((role) => role.id === id))
    return <Missing error={new Refusal('not_found', `There is no role named ${id}.`)} what="role" back={allRoles} />
  return (
    <Page
      title="Roles"
      about="What each role may do. This table comes from the files that are enforced; anything not listed is denied."
      actions={
        <Link href={servers.path} className="text-sm text-accent hover:underline">
          {servers.label}
        </Link>
      }
    >
      <Card>
        <div className="overflow-x-auto" tabIndex={0} role="region" aria-label="Permissions of each role">
          <table className="w-full text-sm sm:min-w-[44rem]">
            <thead>
              <tr className="border-b border-line text-left text-xs text-soft">
                <th className="px-2 py-2 align-bottom font-medium">Role</th>
                {columns.map(([key, label]) => (
                  <th key={key} className="px-1 py-2 text-center align-bottom font-medium sm:px-2">
                    <span className="max-sm:[writing-mode:sideways-lr]">{label}</span>
                  </th>
                ))}
                <th className="px-2 py-2 align-bottom font-medium max-sm:hidden">Delegates to</th>
                <th className="px-2 py-2 align-bottom font-medium max-sm:hidden">From</th>
              </tr>
            </thead>
            <tbody>
              {roles.data.roles.map((role) => (
                <RoleRow key={role.id} role={role} chosen={role.id === id} />
              ))}
            </tbody>
          </table>
        </div>
      </Card>
      <Untrusted roles={roles.data.roles} />
      <Explain roles={roles.data.roles} named={id} />
    </Page>
  )
}

/** What a project's roles do not have yet, and how they get it. */
function Untrusted({ roles }: { roles: readonly RoleView[] }) {
  const waiting = roles.filter(({ withheld }) => withheld.length > 0)
  if (waiting.length === 0) return null
  return (
    <div role="status" className="rounded-xl border border-warn/40 bg-warn-wash px-4 py-2.5 text-sm text-warn">
      <p>These roles come with the project, so they only read until you have read their files and trust them:</p>
      <ul className="mt-1 flex flex-col gap-1">
        {waiting.map(({ id, name, file, withheld }) => (
          <li key={id}>
            {name}, without {withheld.join(', ')}: <code className="font-mono text-xs break-all select-all">troupe roles trust {file}</code>
          </li>
        ))}
      </ul>
    </div>
  )
}

function RoleRow({ role, chosen }: { role: RoleView; chosen: boolean }) {
  return (
    <tr className={`border-b border-line last:border-0 ${chosen ? 'bg-accent-wash' : ''}`}>
      <td className="px-2 py-2.5">
        <RoleBadge id={role.id} linked />
        {role.withheld.length > 0 && (
          <Badge tone="warn" title={`Withheld until you trust its file: ${role.withheld.join(', ')}`}>
            not trusted
          </Badge>
        )}
        <p className="mt-1 max-w-sm text-xs text-soft max-sm:hidden">{role.description}</p>
        <p className="mt-1 max-w-sm text-xs text-soft max-sm:hidden">
          {reachWords(role)
            .map(([name, words]) => `${name}: ${words}`)
            .join(' · ')}
        </p>
      </td>
      {columns.map(([key, label]) => (
        <td key={key} className="px-1 text-center sm:px-2">
          {role.permissions[key] ? (
            <Check size={16} className="inline text-good" aria-label={`${label}: yes`} />
          ) : (
            <Minus size={16} className="inline text-soft" aria-label={`${label}: no`} />
          )}
        </td>
      ))}
      <td className="px-2 max-sm:hidden">
        <span className="flex flex-wrap gap-1">
          {role.can_delegate_to_roles.map((child) => (
            <RoleBadge key={child} id={child} linked />
          ))}
        </span>
      </td>
      <td className="px-2 max-sm:hidden">
        <Badge>{role.source}</Badge>
      </td>
    </tr>
  )
}
