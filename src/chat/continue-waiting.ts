import { setTimeout as sleep } from 'node:timers/promises'
import { isLeased } from '../agent/run/lease.ts'
import { Problem } from '../domain/problem.ts'
import { runFlow } from '../domain/run.ts'
import { runs } from '../store/tables.ts'
import type { ChatContext } from './context.ts'
import { continueChat } from './continue.ts'

const LOOK_EVERY_MS = 30_000

/** Takes up the turns whose process died while they waited for a limit to end: they would have gone on by themselves. */
export async function continueWaiting(context: ChatContext, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await takeUpAll(context).catch((error: unknown) => context.agent.driver.warn(asWarning(error)))
    await sleep(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}

async function takeUpAll(context: ChatContext): Promise<void> {
  const { driver } = context.agent
  const open = await runs.items(driver, { where: { status: runFlow.initial, parent_run_id: null } })
  for (const run of open) {
    if (run.quota === null || !run.thread_id.startsWith('chat_') || (await isLeased(driver, run))) continue
    await continueChat.run(context, { chat: run.thread_id })
  }
}

function asWarning(error: unknown): Problem {
  return error instanceof Problem
    ? error
    : new Problem('internal', 'a turn that waited for a limit could not be taken up', { cause: error })
}
