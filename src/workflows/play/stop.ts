import * as z from 'zod'
import { cancelQuestions } from '../../agent/person/answer.ts'
import { releasedLease } from '../../agent/run/lease.ts'
import { stopRun } from '../../agent/run/stop.ts'
import { nextState } from '../../domain/flow.ts'
import { defineOperation } from '../../domain/operation.ts'
import { WorkflowPlay, workflowPlayFlow } from '../../domain/workflow/play.ts'
import { runs, workflowPlays } from '../../store/tables.ts'
import type { WorkflowContext } from '../context.ts'
import { runIdOf } from '../handle.ts'
import { RunName } from './view.ts'

/** Stops a play and its agent, whichever process is at it, and comes back when nothing of it runs any more. */
export const stopPlay = defineOperation({
  name: 'workflow.stop',
  summary: 'Stop a workflow that Troupe plays, and its agent',
  by: ['person'],
  effect: 'change',
  command: 'workflow stop <run>',
  absent: { dry_run: 'it stops processes, which no transaction takes back' },
  input: z.strictObject({ run: RunName }),
  output: z.object({ run: z.string(), status: WorkflowPlay.shape.status }),
  example: { run: 'wf_Zk3vQ0aXn7Lr2mTc5YbPd8Ws' },
  tell: ({ run }) => `Stopped: ${run}`,
  run: async ({ store, now }: Pick<WorkflowContext, 'store' | 'now'>, { run: named }) => {
    const driver = await store()
    const run = runIdOf(named)
    await driver.transaction(async (tx) => {
      const was = await workflowPlays.get(tx, run)
      const status = nextState(workflowPlayFlow, was.item.status, 'stop', 'user', { run })
      await cancelQuestions(tx, run)
      const stopped = { status, reason: 'stopped', message: 'a person stopped it', ...releasedLease }
      await workflowPlays.replace(tx, was, { ...was.item, ...stopped })
    })
    const open = await runs.items(driver, { where: { thread_id: run, status: ['running', 'waiting'] } })
    for (const { id } of open) await stopRun(driver, id, now())
    return { run, status: (await workflowPlays.get(driver, run)).item.status }
  },
})
