import type { Run } from '../domain/run.ts'
import { preparedSandboxes } from '../sandbox/prepared/prepared.ts'
import type { Stored } from '../store/collection.ts'
import type { AgentContext } from './agent.ts'
import { answerCalls } from './answer-calls.ts'
import { stopAtLimit } from './person/ask-for-more.ts'
import { askWithRoom, compactThread, compactWhenNear } from './compact.ts'
import { askedAgain } from './run/ask-again.ts'
import { concludeRun, failRun, completeRun, type OpenedRun } from './run/end.ts'
import { hearUser } from './person/hear-user.ts'
import { endAll, leaveProcesses, takeProcesses } from './run/processes.ts'
import { keepLease } from './run/lease.ts'
import { reachedRunLimit } from './limits.ts'
import { openPlay } from './run/open-run.ts'
import { prepareAhead } from './run/prepare-ahead.ts'
import { workedMs, type RunContext } from './run/context.ts'
import { refuseChangedPlan, storeReply, tellCutOff, tellInstructions, tellStart } from './turn.ts'

/** Plays a run that this process holds, from where it is to its end, or to where it must wait for a person. */
export async function playRun(agent: AgentContext, run: Stored<Run>, signal: AbortSignal): Promise<Run> {
  const hold = keepLease(agent, run.item.id, signal)
  const prepared = preparedSandboxes(agent.sandbox)
  const processes = takeProcesses(run.item.id)
  hold.signal.addEventListener('abort', () => void endAll(processes), { once: true })
  let held: OpenedRun = { agent, run, signal: hold.signal, writing: Promise.resolve(), reply: null }
  try {
    const context = await openPlay(
      agent,
      run,
      { signal: hold.signal, prepared, background: processes.commands, servers: processes.servers },
      playRun,
    )
    held = context
    await hold.start(context)
    hold.signal.throwIfAborted()
    const played = await takeTurns(context)
    await leaveProcesses(agent, played, processes)
    return played
  } catch (error) {
    await endAll(processes) // before it is said that the run is over
    return await failRun(held, error)
  } finally {
    prepared.close()
    hold.release()
  }
}

/** Ask, store, run what it wants, tell it what happened, ask again. A run that was killed starts with the calls it left unanswered. */
async function takeTurns(context: RunContext): Promise<Run> {
  tellStart(context)
  if (context.run.item.compaction !== null) return compactThread(context, context.run.item.compaction)
  await tellInstructions(context)
  await tellCutOff(context)
  prepareAhead(context)
  for (;;) {
    const standing = await answerCalls(context)
    if (standing.goes !== 'on') return completeRun(context, standing)
    const reached = reachedRunLimit(context.run.item, workedMs(context))
    if (reached !== null) return stopAtLimit(context, reached)
    await hearUser(context)
    await refuseChangedPlan(context)
    await compactWhenNear(context)
    const reply = await askWithRoom(context)
    if (reply.calls.length > 0) await storeReply(context, reply)
    else if (!(await askedAgain(context, reply))) return concludeRun(context, reply)
  }
}
