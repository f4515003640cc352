import { noUsage, type AssistantEntry, type Usage } from '../../domain/entry.ts'
import { newId } from '../../domain/id.ts'
import type { Run } from '../../domain/run.ts'
import { maskedRecord, unsureChars } from '../../domain/text/mask.ts'
import type { ModelRequest } from '../../providers/provider.ts'
import type { Driver } from '../../store/driver.ts'
import { addDraft, listDrafts, removeDraft, removeDrafts, updateDraft, type RunDraft } from '../../store/run-drafts.ts'
import { entries, runs } from '../../store/run-tables.ts'
import { newEntry, type EntryHead } from '../../store/thread.ts'
import { isLeased } from './lease.ts'
import { addUsage } from '../limits.ts'
import type { RunContext } from './context.ts'

/** How much of a reply a killed process may take with it. */
const SAVE_EVERY_MS = 500

/** Stores that a model is being asked, and what it says as it says it: a process that is killed leaves its words and their cost behind. */
export async function beginDraft({ agent, run, performer }: Pick<RunContext, 'agent' | 'run' | 'performer'>, request: ModelRequest) {
  const { driver, secrets = [] } = agent
  const id = newId('draft', agent.now())
  const started = performance.now()
  let [text, before] = ['', noUsage]
  let timer: NodeJS.Timeout | undefined
  let saving: Promise<void> = Promise.resolve()

  const reckon = async (heard: string): Promise<Usage> => (await performer.provider.estimate?.(request, heard)) ?? noUsage
  const current = async (): Promise<RunDraft> => ({
    id,
    run_id: run.item.id,
    text: maskedRecord(text.slice(0, text.length - unsureChars(text, secrets)), secrets),
    usage: addUsage(before, await reckon(text)),
    took_ms: Math.round(performance.now() - started),
  })
  function save(): void {
    timer = undefined
    // A draft that cannot be saved must not cost the reply; the next write of the run itself says what is wrong with the store.
    saving = saving.then(async () => updateDraft(driver, await current())).catch(() => undefined)
  }
  /** Nothing is saved any more; who stores the reply, or its end, removes the draft with it. */
  async function end(): Promise<void> {
    clearTimeout(timer)
    await saving
  }

  await addDraft(driver, await current())
  return {
    hear(piece: string): void {
      text += piece
      timer ??= setTimeout(save, SAVE_EVERY_MS)
    },
    /** What was said is void, but it was paid for. */
    again(): void {
      const said = text
      text = ''
      if (said !== '') saving = saving.then(async () => void (before = addUsage(before, await reckon(said))))
    },
    end,
    async discard(): Promise<void> {
      await end()
      await removeDraft(driver, id) // by its own id: another process may have taken the run over
    },
  }
}

/** Moves what a dead process heard of a reply into the thread, and gives back what that request used. */
export async function settleDrafts(tx: Driver, run: Run, now: Date): Promise<Usage> {
  let spent = noUsage
  for (const draft of await listDrafts(tx, run.id)) {
    spent = addUsage(spent, draft.usage)
    if (draft.text !== '') await entries.add(tx, draftEntry(run, draft, await newEntry(tx, run.thread_id, run.id, now)))
  }
  await removeDrafts(tx, run.id)
  return spent
}

/** A reply that broke off, as the thread keeps it. */
export function draftEntry({ agent_role, model }: Run, { text, usage, took_ms }: RunDraft, head: EntryHead): AssistantEntry {
  const rest = { calls: [], stopped: true, plan_id: null, question_id: null, proposals: [], unparsed: null, cut: null }
  return { ...head, from: 'assistant', role: agent_role, model, type: 'text', text, usage, took_ms, ...rest }
}

/** Counts what killed processes had asked for, in runs that nobody may ever take up again. */
export async function countCutOffRequests(driver: Driver, now: Date): Promise<void> {
  for (const { run_id } of await listDrafts(driver)) {
    await driver.transaction(async (tx) => {
      const was = await runs.find(tx, run_id)
      if (was === null || (await isLeased(tx, was.item))) return
      await runs.replace(tx, was, { ...was.item, usage: addUsage(was.item.usage, await settleDrafts(tx, was.item, now)) })
    })
  }
}
