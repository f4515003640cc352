import { createContext, useContext, type ComponentProps } from 'react'
import { Link } from 'wouter'
import type { RoleView } from './role-view.ts'
import { permissionWords } from '../../src/domain/permission-words.ts'
import { useRead } from '../api.ts'
import { SelectField } from '../ui/form/field.tsx'
import { RoleIcon } from '../ui/role/role-icon.tsx'
import { Tooltip } from '../ui/overlay/tooltip.tsx'

const Folder = createContext<string | undefined>(undefined)

/** What is below it is about this folder, whose project may have roles of its own. */
export const RolesIn = Folder.Provider

/** The roles there are, by id; empty until they have come. */
export function useRoles(): ReadonlyMap<string, RoleView> {
  const workspace = useContext(Folder)
  const roles = useRead('role.list', workspace === undefined ? {} : { workspace })
  return new Map(roles.data?.roles.toSorted(familiarFirst).map((role) => [role.id, role]))
}

/** The two a person switches between all day come first; the others by name. */
function familiarFirst(a: RoleView, b: RoleView): number {
  return rank(a) - rank(b) || a.name.localeCompare(b.name)
}

function rank({ id }: RoleView): number {
  return ['planner', 'actor'].indexOf(id) + 1 || 3
}

/** A role's name in its colour with its icon; hovering explains what it may do. A role no file describes is shown by its id. Linked, it leads to the role's place. */
export function RoleBadge({ id, linked = false }: { id: string; linked?: boolean }) {
  const role = useRoles().get(id)
  const look = {
    'data-role-color': role?.color ?? 'slate',
    className:
      'inline-flex items-center gap-1.5 rounded-full border border-role/30 bg-role-wash px-2 py-0.5 text-xs font-semibold whitespace-nowrap text-role',
  }
  const name = (
    <>
      <RoleIcon role={role} size={12} />
      {role?.name ?? id}
    </>
  )
  return (
    <Tooltip text={role ? <RoleExplained role={role} /> : `No loaded file describes the role ${id}; it may only read.`}>
      {linked ? (
        <Link href={`/roles/${id}`} {...look}>
          {name}
        </Link>
      ) : (
        <span tabIndex={0} {...look}>
          {name}
        </span>
      )}
    </Tooltip>
  )
}

/** A choice among the roles. */
export function RoleSelect(props: Omit<ComponentProps<typeof SelectField>, 'options'>) {
  const options = [...useRoles().values()].map(({ id, name }) => ({ value: id, label: name }))
  return <SelectField options={options} {...props} />
}

/** What the role that is chosen in a form may do, below the choice. */
export function RoleNote({ role, children }: { role: RoleView; children?: string }) {
  return (
    <div className="flex flex-col gap-1 rounded-lg bg-raised px-3 py-2 text-sm text-soft">
      <RoleExplained role={role} />
      {children !== undefined && <p>{children}</p>}
    </div>
  )
}

/** A role's mode as it is shown: in full, short, and what it means. */
interface ModeWords {
  label: string
  short: string
  about: string
}

const modeWords = {
  plan: { label: 'Plan mode', short: 'Plan', about: 'Plan mode: this role reads and plans. It changes nothing.' },
  act: { label: 'Act mode', short: 'Act', about: 'Act mode: this role makes changes, within its permissions.' },
} as const

/** What to call the mode of a role. One that changes nothing itself but may start roles that do is in neither mode: it is told what it may start. */
export function useModeWords(role: RoleView | undefined): ModeWords {
  const roles = useRoles()
  if (role?.mode !== 'delegate') return modeWords[role?.mode ?? 'plan']
  const names = role.can_delegate_to_roles.map((id) => roles.get(id)?.name ?? id).join(', ')
  const about = `Changes nothing itself. It may start ${names}, and asks you before the first one that can change something.`
  return { label: `May start: ${names}`, short: 'Delegates', about }
}

/** A role in words: its mode, what it may do, what it may not. */
export function RoleExplained({ role }: { role: RoleView }) {
  const mode = useModeWords(role)
  const names = Object.keys(permissionWords) as (keyof typeof permissionWords)[] // the keys of a table
  const may = names.filter((name) => role.permissions[`can_${name}`]).map((name) => permissionWords[name])
  const mayNot = names.filter((name) => !role.permissions[`can_${name}`]).map((name) => permissionWords[name])
  return (
    <div className="flex flex-col gap-1">
      <p className="font-semibold">
        {role.name} · {mode.label}
      </p>
      <p>{role.description}</p>
      <p>
        <span className="text-good">May</span> {may.join(', ') || 'nothing'}.
      </p>
      {mayNot.length > 0 && (
        <p>
          <span className="text-danger">May not</span> {mayNot.join(', ')}.
        </p>
      )}
    </div>
  )
}
