import * as z from 'zod'
import { attachmentKind, type AttachedFile } from '../domain/attachment.ts'
import type { Entry } from '../domain/entry.ts'

/** What a compaction note says: which entries the model no longer sees in full. The store keeps every one of them. */
export type Compaction = z.infer<typeof Compaction>
export const Compaction = z.object({
  up_to: z.int().nonnegative(),
  /** `outputs_dropped`: old tool outputs are left out. `summary`: the note's text stands for everything up to there. */
  kept: z.enum(['outputs_dropped', 'summary']),
})

/** Outputs shorter than this stay: dropping them would save less than the line that says so. */
const SHORT_OUTPUT = 300

/** What the model is shown of a thread: every entry, with the compactions applied. */
export function modelEntries(entries: readonly Entry[]): Entry[] {
  const summary = lastCompaction(entries, 'summary')
  const dropped = lastCompaction(entries, 'outputs_dropped')
  const shown = entries
    .filter((entry) => entry.number > (summary?.up_to ?? -1) && !isCompaction(entry) && !isQueued(entry))
    .map((entry) => (entry.number <= (dropped?.up_to ?? -1) ? withoutOutput(entry) : asShown(entry)))
  return summary ? [summary.entry, ...shown] : shown
}

/** An entry as the model is shown it: an answer is the user's own word, whatever kind of line keeps it. */
export function asShown(entry: Entry): Entry {
  return entry.from === 'note' && entry.type === 'answer' ? asUser(entry) : entry
}

function asUser({ id, thread_id, number, run_id, at, text }: Extract<Entry, { from: 'note' }>): Entry {
  return { id, thread_id, number, run_id, at, from: 'user', text }
}

/** About how many tokens a view is. */
export function sizeOf(view: readonly Entry[]): number {
  return view.reduce((sum, entry) => sum + estimateEntryTokens(entry), 0)
}

/** A rough count: four characters are about one token in the languages and code we meet. */
export function estimateEntryTokens(entry: Entry): number {
  if (entry.from === 'assistant') return Math.ceil((entry.text.length + JSON.stringify(entry.calls).length) / 4)
  const files = 'attachments' in entry ? (entry.attachments ?? []) : []
  const text = entry.from === 'tool' ? entry.output : entry.text
  return Math.ceil(text.length / 4) + files.reduce((sum, file) => sum + fileTokens(file), 0)
}

/** An image costs about the same whatever its size; a page of a PDF has about 50 kB and costs more. */
function fileTokens(file: AttachedFile): number {
  return attachmentKind(file) === 'image' ? 1_500 : 2_000 * Math.ceil(file.bytes / 50_000)
}

function lastCompaction(entries: readonly Entry[], kept: Compaction['kept']): { up_to: number; entry: Entry } | null {
  for (const entry of entries.toReversed()) {
    if (!isCompaction(entry)) continue
    const compaction = Compaction.parse(entry.details)
    if (compaction.kept === kept) return { up_to: compaction.up_to, entry: asUser(entry) }
  }
  return null
}

/** Whether an entry is something the user said that no model has seen yet. */
export function isQueued(entry: Entry): entry is Extract<Entry, { from: 'user' }> {
  return entry.from === 'user' && entry.queued === true
}

function isCompaction(entry: Entry): entry is Extract<Entry, { from: 'note' }> {
  return entry.from === 'note' && entry.type === 'compaction'
}

function withoutOutput(entry: Entry): Entry {
  if (entry.from !== 'tool') return entry
  const { attachments, ...rest } = entry
  if (attachments !== undefined) return { ...rest, output: `[a file was shown here; call ${entry.tool} again if you need it]` }
  if (entry.output.length <= SHORT_OUTPUT) return entry
  return {
    ...entry,
    output: `[${entry.output.length} characters of output left out to save room; call ${entry.tool} again if you need them]`,
  }
}
