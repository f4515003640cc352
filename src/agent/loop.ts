import type { Run } from '../domain/run.ts'
import type { Stored } from '../store/collection.ts'
import type { Agent } from './agent.ts'
import { answerCalls } from './answer-calls.ts'
import { haltAtLimit } from './ask-for-more.ts'
import { compactWhenNear } from './compact.ts'
import { conclude, endBadly, endHere, type Held } from './end.ts'
import { hearUser } from './hear-user.ts'
import { keepHold } from './hold.ts'
import { reachedLimit } from './limits.ts'
import { openPlay } from './open-play.ts'
import { workedMs, type Play } from './play.ts'
import { askModel, refuseChangedPlan, storeReply, tellCutOff, tellStart } from './turn.ts'

/** Plays a run that this process holds, from where it is to its end, or to where it must wait for a person. */
export async function playRun(agent: Agent, run: Stored<Run>, signal: AbortSignal): Promise<Run> {
  const hold = keepHold(agent, run.item.id, signal)
  let held: Held = { agent, run, signal: hold.signal, writing: Promise.resolve(), reply: null }
  try {
    const play = await openPlay(agent, run, hold.signal, playRun)
    held = play
    await hold.start(play)
    hold.signal.throwIfAborted()
    return await takeTurns(play)
  } catch (error) {
    return await endBadly(held, error)
  } finally {
    hold.release()
  }
}

/** Ask, store, run what it wants, tell it what happened, ask again. A run that was killed starts with the calls it left unanswered. */
async function takeTurns(play: Play): Promise<Run> {
  tellStart(play)
  await tellCutOff(play)
  for (;;) {
    const standing = await answerCalls(play)
    if (standing.goes !== 'on') return endHere(play, standing)
    const reached = reachedLimit(play.run.item, workedMs(play))
    if (reached !== null) return haltAtLimit(play, reached)
    await hearUser(play)
    await refuseChangedPlan(play)
    await compactWhenNear(play)
    const reply = await askModel(play)
    if (reply.calls.length === 0) return conclude(play, reply)
    await storeReply(play, reply)
  }
}
