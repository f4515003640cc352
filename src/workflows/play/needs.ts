import { questionNeed, type Need } from '../../domain/need.ts'
import type { Driver } from '../../store/driver.ts'
import { workflowPlays, workflowRuns } from '../../store/tables.ts'
import { waitingQuestion } from './question.ts'
import { isPlaying } from './view.ts'
import { runView } from '../runs.ts'
import { pinnedWorkflow } from '../files/versions.ts'

/** Every question of a played workflow, every play that was cut off, and every confirmation an outside client waits for. */
export async function workflowNeeds(driver: Driver): Promise<Need[]> {
  const open = await workflowPlays.items(driver, { where: { status: ['playing', 'waiting'] } })
  const needs: Need[] = []
  for (const play of open) {
    const common = { detail: await nameOf(driver, play.id), link: `/workflows/runs/${play.id}` }
    const asked = await waitingQuestion(driver, play.id)
    if (asked?.status === 'pending') {
      needs.push({ ...common, ...questionNeed(asked) })
    } else if (!(await isPlaying(driver, play))) {
      const at = play.started_at
      needs.push({ ...common, id: play.id, kind: 'workflow', title: 'A workflow was interrupted', severity: 'minor', at })
    }
  }
  return [...needs, ...(await outsideConfirmations(driver))]
}

/** The code is shown on the run itself; the list only says that somebody waits for it. */
async function outsideConfirmations(driver: Driver): Promise<Need[]> {
  const active = await workflowRuns.items(driver, { where: { status: 'active' }, order: ['-updated_at'], limit: 100 })
  const waiting = active.filter(({ confirmation }) => confirmation !== null)
  const found = await Promise.all(
    waiting.map(async ({ id, updated_at: at }): Promise<Need[]> => {
      if ((await workflowPlays.find(driver, id)) !== null) return []
      const title = `Is this step done: ${(await runView(driver, id)).confirmation?.title ?? ''}?`
      return [{ id, kind: 'workflow', title, detail: await nameOf(driver, id), severity: 'major', link: `/workflows/runs/${id}`, at }]
    }),
  )
  return found.flat()
}

async function nameOf(driver: Driver, runId: string): Promise<string> {
  const { item } = await workflowRuns.get(driver, runId)
  return (await pinnedWorkflow(driver, item.workflow_hash)).name
}
