import { Problem } from '../domain/problem.ts'
import type { Driver } from '../store/driver.ts'
import { workflowPlays, workflowRuns } from '../store/tables.ts'
import { advanceRun } from './advance.ts'
import { type RunAnswer, runIdOf, writeHandle } from './handle.ts'
import { recordOf } from './runs.ts'

/** As many open runs are told: whoever looks for an older one names it. */
const TOLD = 20

/** The open runs, newest first, each with its newest handle and what people see of its open step; those that Troupe itself plays are left to it. */
export async function openRuns(driver: Driver) {
  const active = await workflowRuns.items(driver, { where: { status: 'active' }, order: ['-updated_at'], limit: TOLD * 2 })
  const outside = await Promise.all(active.map(async (run) => ((await workflowPlays.find(driver, run.id)) === null ? [run] : [])))
  return Promise.all(
    outside
      .flat()
      .slice(0, TOLD)
      .map(async (run) => {
        const { workflow, answer } = await recordOf(driver, run.id)
        const waits_for = run.confirmation === null ? answer.missing : ['confirmation']
        const { workflow_id: workflowId, position: done, updated_at } = run
        return { run: writeHandle(run), workflowId, name: workflow.name, step: answer.user?.title ?? null, done, waits_for, updated_at }
      }),
  )
}

/** The open step of a run by its id or by any of its handles, with the newest handle. */
export async function resumeWorkflowRun(driver: Driver, named: string, now: Date): Promise<RunAnswer> {
  const id = runIdOf(named)
  const was = await workflowRuns.find(driver, id)
  if (was === null) throw unknownRun(named)
  if ((await workflowPlays.find(driver, id)) !== null)
    throw new Problem('bad_input', `Troupe itself plays the run ${id}, so no other agent can carry it out`, {
      next: [{ operation: 'workflow.continue', input: { run: id } }],
    })
  return advanceRun(driver, { run: writeHandle(was.item) }, now)
}

function unknownRun(named: string): Problem {
  const got = named.slice(0, 60)
  return new Problem('not_found', `there is no run "${got}"; workflow_resume without arguments lists the open ones`, {
    details: { field: 'run', got, expected: 'the id or a handle of a run', arguments: {} },
  })
}
