import type { Chat } from '../domain/chat.ts'
import { newId } from '../domain/id.ts'
import type { Stored } from '../store/collection.ts'
import { DEFAULT_ROLE } from '../roles/roles.ts'
import type { Driver } from '../store/driver.ts'
import { chats, entries } from '../store/tables.ts'
import { nextNumber } from '../store/thread.ts'

export interface RoleChange {
  to: string
  by: string
  reason: string
}

/** Stores a chat's new role and writes the switch into its history, in the caller's transaction. */
export async function recordRoleChange(tx: Driver, was: Stored<Chat>, { to, by, reason }: RoleChange, now: Date): Promise<Stored<Chat>> {
  const from = was.item.config.agent_role ?? DEFAULT_ROLE
  const at = now.toISOString()
  await entries.add(tx, {
    id: newId('entry', now),
    thread_id: was.item.id,
    number: await nextNumber(tx, was.item.id),
    run_id: null,
    at,
    from: 'note',
    type: 'role_change',
    text: `${by} switched the role from ${from} to ${to}${reason === '' ? '' : `: ${reason}`}`,
    details: { from, to, by, reason },
  })
  return chats.replace(tx, was, { ...was.item, config: { ...was.item.config, agent_role: to }, updated_at: at })
}
