import type { Entry } from '../../domain/entry.ts'
import type { Stored } from '../../store/collection.ts'
import { entries } from '../../store/run-tables.ts'
import { recordEntries, entryHead, type RunContext } from '../run/context.ts'
import { isQueued } from '../model-entries.ts'

/** Takes up what the user said while the run was at work, so that the model reads it with its next turn. */
export async function hearUser(context: RunContext): Promise<void> {
  const { agent, run } = context
  if (agent.hearsUser !== true) return
  const where = { thread_id: run.item.thread_id, number: { above: context.heardUpTo } }
  const found = await entries.list(agent.driver, { where, order: ['number'] })
  context.heardUpTo = found.at(-1)?.item.number ?? context.heardUpTo
  for (const said of found) if (isQueued(said.item) && isMeantFor(context, said.item)) await takeUp(context, said, said.item)
}

/** What was said after a switch of the role names no run: it waits for the first turn of the next one. */
function isMeantFor(context: RunContext, { run_id }: Entry): boolean {
  return run_id !== null || context.run.item.turns === 0
}

/** It comes to stand where the model first sees it, so that another process reads the thread as the model did. */
async function takeUp(context: RunContext, was: Stored<Entry>, { text, attachments }: Extract<Entry, { from: 'user' }>): Promise<void> {
  const { driver } = context.agent
  const { id } = was.item // it stays the same message: who sends it once more must find it
  await recordEntries(context, {
    remove: was,
    add: { ...entryHead(context), id, from: 'user', text, ...(attachments && { attachments }) },
  }).catch(async (error: unknown) => {
    // The user took it back at this very moment; that is no reason for the run to end.
    if (await entries.find(driver, id)) throw error
  })
}
