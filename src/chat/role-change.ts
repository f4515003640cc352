import type { Chat } from '../domain/chat.ts'
import type { Stored } from '../store/collection.ts'
import type { Driver } from '../store/driver.ts'
import { chats, entries } from '../store/tables.ts'
import { newEntry } from '../store/thread.ts'

export interface RoleChange {
  to: string
  by: string
  reason: string
}

/** Stores a chat's new role and writes the switch into its history, in the caller's transaction. */
export async function recordRoleChange(tx: Driver, was: Stored<Chat>, { to, by, reason }: RoleChange, now: Date): Promise<Stored<Chat>> {
  const from = was.item.config.agent_role
  await entries.add(tx, {
    ...(await newEntry(tx, was.item.id, null, now)),
    from: 'note',
    type: 'role_change',
    text: `${by} switched the role from ${from} to ${to}${reason === '' ? '' : `: ${reason}`}`,
    details: { from, to, by, reason },
  })
  return chats.replace(tx, was, { ...was.item, config: { ...was.item.config, agent_role: to }, updated_at: now.toISOString() })
}
