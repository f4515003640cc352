import { boardKey, type Board } from '../../domain/board/board.ts'
import { hasExpired } from '../../domain/lease.ts'
import type { Running, UsedProject } from '../../domain/overview/running.ts'
import type { Driver } from '../../store/driver.ts'
import { boardAgents, boards, runs, tasks } from '../../store/tables.ts'
import { PLANNING, threadsOf } from './runs-of.ts'
import { titleOf } from '../view/cards.ts'

/** The agents of every board that hold a task or a review at this moment. */
export async function runningAgents(driver: Driver): Promise<Running[]> {
  const open = (await boards.items(driver)).filter(({ goal }) => goal.status === 'IN_PROGRESS')
  return (await Promise.all(open.map((board) => runningOn(driver, board)))).flat()
}

async function runningOn(driver: Driver, { id: board_id, root: workspace, goal }: Board): Promise<Running[]> {
  const now = await driver.now()
  const team = await boardAgents.items(driver, { where: { board_id } })
  const busy = team.filter(({ status, lease_expires }) => ['WORKING', 'REVIEWING'].includes(status) && !hasExpired(lease_expires, now))
  return Promise.all(
    busy.map(async ({ id: agent, role: agent_role, current_task, heartbeat }): Promise<Running> => {
      const task = current_task === null ? null : await tasks.find(driver, boardKey({ board_id, id: current_task }))
      const [run] = await runs.items(driver, {
        where: { thread_id: threadsOf(board_id, current_task ?? PLANNING, agent), status: 'running' },
      })
      const link = task === null ? `/board/${board_id}` : `/board/${board_id}/task/${task.item.id}`
      const title = task === null ? goal.description : titleOf(task.item)
      const since = run?.started_at ?? heartbeat
      return { id: `${board_id}/${agent}`, way: 'board', title, agent, agent_role, run_id: run?.id ?? null, workspace, link, since }
    }),
  )
}

/** The repositories of the boards. */
export async function boardProjects(driver: Driver): Promise<UsedProject[]> {
  return (await boards.items(driver)).map(({ root, sprint }) => ({ workspace: root, used_at: sprint.timeline.started }))
}
