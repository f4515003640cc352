import { isLeased } from '../agent/run/lease.ts'
import type { Running, UsedProject } from '../domain/overview/running.ts'
import type { Driver } from '../store/driver.ts'
import { chats, runs } from '../store/tables.ts'

/** The turns of chats that a living process plays. What they delegated to is part of them. */
export async function runningChats(driver: Driver): Promise<Running[]> {
  const open = await runs.items(driver, { where: { status: 'running' } })
  const found = open.map(async (run): Promise<Running[]> => {
    const chat = await chats.find(driver, run.thread_id)
    if (chat === null || !(await isLeased(driver, run))) return []
    const { agent_role, started_at: since } = run
    const { title, workspace, id } = chat.item
    return [{ id: run.id, way: 'chat', title, agent: agent_role, agent_role, run_id: run.id, workspace, link: `/chat/${id}`, since }]
  })
  return (await Promise.all(found)).flat()
}

/** The folders of the chats. */
export async function chatProjects(driver: Driver): Promise<UsedProject[]> {
  return (await chats.items(driver)).map(({ workspace, updated_at }) => ({ workspace, used_at: updated_at }))
}
