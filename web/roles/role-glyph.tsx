import { RoleIcon } from '../ui/role/role-icon.tsx'
import { useRoles } from './role-badge.tsx'

/** A role as one of the cast: its sign in its colour, 20 px. Its name is beside it, or is told here. */
export function RoleGlyph({ id, named = false }: { id: string; named?: boolean }) {
  const role = useRoles().get(id)
  const name = role?.name ?? id
  return (
    <span
      data-role-color={role?.color ?? 'slate'}
      title={name}
      className="grid size-5 shrink-0 place-items-center rounded-md bg-role-wash text-role"
    >
      <RoleIcon role={role} size={12} />
      {named && <span className="sr-only">{name}</span>}
    </span>
  )
}
