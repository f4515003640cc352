import { createTwoFilesPatch } from 'diff'
import { type FileState, type PathChange, sameState } from '../domain/checkpoint.ts'
import { secretRule } from '../sandbox/files/secret.ts'
import { lookAt } from './look.ts'
import { checkpointsOf } from './records.ts'
import { netChanges } from './restore.ts'
import type { FileTurn } from './turns.ts'
import type { KeptWorkspace } from './workspace.ts'

/** What became of one file, as a diff. */
export interface FileDiff {
  path: string
  change: 'created' | 'changed' | 'deleted'
  added: number
  removed: number
  /** Empty where it cannot be shown: a secret, a binary file, or one that is not kept. */
  diff: string
}

const SHOWN_BYTES = 1_000_000
const DIFF_MS = 500

/** What is different now from before a checkpoint, in the paths that agents of the thread have changed since; of one that is named, with all its lines. */
export function diffSince({ file, root, settings }: KeptWorkspace, threadId: string, from: number, only?: string): FileDiff[] {
  const records = checkpointsOf(file, threadId).filter(({ number }) => number >= from)
  return netChanges(records)
    .filter(({ path }) => only === undefined || path === only)
    .map(({ path, before }) => ({ before, now: lookAt(root, path, settings.maxFileBytes), path }))
    .filter(({ before, now }) => !sameState(before, now?.state ?? null))
    .map(({ path, before, now }) => {
      const was = before?.kind === 'file' ? file.contentOf(before.hash) : null
      const contents = { was, is: now?.content ?? null }
      return diffOf({ path, before, after: now?.state ?? null }, contents, only === undefined ? 3 : Infinity)
    })
}

/** What one turn changed, whatever became of it since. */
export function diffOfTurn({ file, root, settings }: KeptWorkspace, { changes }: Pick<FileTurn, 'changes'>): FileDiff[] {
  const contentOf = (path: string, state: FileState | null) => {
    if (state?.kind !== 'file') return null
    const kept = file.contentOf(state.hash)
    if (kept !== null) return kept
    const now = lookAt(root, path, settings.maxFileBytes) // what nobody has changed since is kept nowhere else
    return now !== null && now.state.kind === 'file' && now.state.hash === state.hash ? now.content : null
  }
  return changes.map((change) =>
    diffOf(change, { was: contentOf(change.path, change.before), is: contentOf(change.path, change.after) }, 3),
  )
}

/** What happened to a path, in a word. */
export function changeWord({ before, after }: Pick<PathChange, 'before' | 'after'>): FileDiff['change'] {
  if (before === null) return 'created'
  return after === null ? 'deleted' : 'changed'
}

function diffOf(change: PathChange, { was, is }: { was: Buffer | null; is: Buffer | null }, context: number): FileDiff {
  const { path, before, after } = change
  const head = { path, change: changeWord(change) }
  if (secretRule(path, 'read') !== null) return { ...head, added: 0, removed: 0, diff: '' }
  const [from, to] = [textOf(before, was), textOf(after, is)]
  if (from === null || to === null) return { ...head, added: 0, removed: 0, diff: '' }
  const names = [before === null ? '/dev/null' : path, after === null ? '/dev/null' : path] as const
  const diff = `${modeLine(before, after)}${from === to ? '' : (createTwoFilesPatch(...names, from, to, '', '', { context, timeout: DIFF_MS }) ?? '')}`
  const lines = diff.split('\n')
  const count = (mark: string) => lines.filter((line) => line.startsWith(mark) && !line.startsWith(mark.repeat(3))).length
  return { ...head, added: count('+'), removed: count('-'), diff }
}

/** A link is shown by where it leads; what is not text is not shown. */
function textOf(state: FileState | null, content: Buffer | null): string | null {
  if (state === null || state.kind === 'folder') return ''
  if (state.kind === 'link') return `${state.target}\n`
  if (content === null || content.length > SHOWN_BYTES || content.includes(0)) return null
  return content.toString('utf8')
}

function modeLine(before: FileState | null, after: FileState | null): string {
  if (before === null || after === null || !('mode' in before) || !('mode' in after) || before.mode === after.mode) return ''
  return `old mode ${before.mode.toString(8)}\nnew mode ${after.mode.toString(8)}\n`
}
