import type { Run } from '../domain/run.ts'
import { canChange } from '../domain/role.ts'
import { runs } from '../store/run-tables.ts'
import type { Driver } from '../store/driver.ts'
import type { FileKeeper } from '../tools/keep-files.ts'
import type { AgentContext } from './agent.ts'
import type { RunContext } from './run/context.ts'

/** Keeps the files that the calls of a run change, as part of the turn that a person started; undefined where nothing is kept. */
export function keeperFor({ checkpoints, driver, now }: AgentContext, run: Run): FileKeeper | undefined {
  if (checkpoints === undefined || !canChange(run.permissions)) return undefined
  let root: Promise<Run> | undefined
  // Loaded with the first change: most turns make none.
  const open = async () => {
    root ??= firstOf(driver, run)
    const { keptWorkspace, beginCall, settleCutOff, oneAtATime } = await import('../checkpoints/workspace.ts')
    return { ...(await root), workspace: keptWorkspace(checkpoints, run.workspace), beginCall, settleCutOff, oneAtATime }
  }
  return {
    begin: async (callId, reach) => {
      const { id, thread_id, workspace, beginCall } = await open()
      return beginCall(workspace, { thread_id, run_id: id, call_id: `${run.id}/${callId}` }, reach, now())
    },
    settle: async () => {
      const { workspace, settleCutOff, oneAtATime } = await open()
      await oneAtATime(workspace, () => settleCutOff(workspace, now()))
    },
  }
}

/** An outside agent changes files while it is asked. */
export async function keepingFiles<Result>({ gate, performer, run }: RunContext, work: () => Promise<Result>): Promise<Result> {
  const begun = performer.acts === true ? await gate.keeper?.begin(`turn-${run.item.turns}`, 'workspace') : undefined
  try {
    return await work()
  } finally {
    await begun?.end()
  }
}

/** The run that a person started, of which this one may be a part. */
async function firstOf(driver: Driver, run: Run): Promise<Run> {
  return run.parent_run_id === null ? run : firstOf(driver, (await runs.get(driver, run.parent_run_id)).item)
}
