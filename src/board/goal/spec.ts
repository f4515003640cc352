import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import type { TaskEntry, TaskPlanning, TaskPlan } from '../../domain/board/task.ts'
import { Problem } from '../../domain/problem.ts'
import { isInside } from '../../sandbox/files/inside.ts'
import { secretRule } from '../../sandbox/files/secret.ts'
import type { Driver } from '../../store/driver.ts'
import { boardRecords } from '../../store/tables.ts'
import { fileAtCommit } from '../../worktrees/file-at.ts'
import type { Repository } from '../../worktrees/repository.ts'
import { recordActivity } from '../activity.ts'
import type { BoardRef } from '../context.ts'
import { addOnce } from '../records.ts'

/** What a `spec_ref` means at this moment. */
export interface SpecText {
  spec_hash: string
  text: string
}

/**
 * Reads the file a `spec_ref` names as a commit holds it, or the section its anchor names; null when it names none, or the
 * commit has no such file. Never from a checkout: every machine and every reader would judge by another text.
 */
export async function readSpec({ root }: Repository, commit: string | null, specRef: string | null): Promise<SpecText | null> {
  if (commit === null || specRef === null) return null
  const [, anchor] = specRef.split('#', 2)
  const whole = await fileAtCommit(root, commit, specFile(root, specRef))
  if (whole === null) return null
  const text = (anchor === undefined ? null : sectionOf(whole, anchor)) ?? whole
  return { spec_hash: hash('sha256', text), text }
}

/** The file of a `spec_ref`, from the top of the project. One outside it, or one that holds secrets, is refused. */
export function specFile(root: string, specRef: string): string {
  const [given = ''] = specRef.split('#', 1)
  const path = resolve(root, given)
  const file = relative(root, path)
  if (!isInside(root, path)) throw new Problem('denied', `the spec ${given} is outside the workspace ${root}`)
  if (secretRule(file, 'read') !== null) throw new Problem('denied', `${given} may hold secrets, so it cannot be a spec`)
  return file
}

/** The spec at one of some commits, or a refusal: a task whose spec is missing would only be blocked later. */
export async function needSpec(repository: Repository, commits: readonly (string | null)[], specRef: string): Promise<SpecText> {
  for (const commit of commits) {
    const spec = await readSpec(repository, commit, specRef)
    if (spec !== null) return spec
  }
  throw new Problem('bad_input', `the spec ${whyNoSpec(repository.root, specRef)}`)
}

/** What to do about a spec that no commit has; one that is in the checkout only lacks a commit. */
export function whyNoSpec(root: string, specRef: string): string {
  const file = specFile(root, specRef)
  if (!existsSync(join(root, file)))
    return `${specRef} is not a file of this project; write it and commit it, or name another from the top of the repository`
  return `${specRef} is in your checkout, but tasks are judged by the committed text: git add ${file} && git commit, on the branch the work is based on`
}

/** Remembers what a hash stands for, so that a later change can be shown. */
export async function keepSpecText(tx: Driver, boardId: string, { spec_hash, text }: SpecText): Promise<void> {
  await addOnce(tx, boardId, `spec/${spec_hash}`, { kind: 'spec_text', task: null, spec_hash, text })
}

/** The difference between the spec a task was written against and what it is now. */
export async function specDelta(driver: Driver, boardId: string, specRef: string, before: string, now: SpecText | null): Promise<string> {
  const kept = await boardRecords.find(driver, `${boardId}/spec/${before}`)
  const old = kept?.item.kind === 'spec_text' ? kept.item.text : ''
  return createTwoFilesPatch(specRef, specRef, old, now?.text ?? '', 'when the task was made', now === null ? 'gone' : 'now')
}

/** From the heading an anchor names to the next one of the same rank; null when no heading has that anchor. */
function sectionOf(text: string, anchor: string): string | null {
  const lines = text.split('\n')
  const start = lines.findIndex((line) => /^#{1,6} /.test(line) && slug(line) === anchor.toLowerCase())
  if (start === -1) return null
  const rank = /^#+/.exec(lines[start] ?? '')?.[0].length ?? 1
  const length = lines.slice(start + 1).findIndex((line) => (/^(#{1,6}) /.exec(line)?.[1]?.length ?? 7) <= rank)
  return lines.slice(start, length === -1 ? undefined : start + 1 + length).join('\n')
}

function slug(heading: string): string {
  return heading
    .replace(/^#+\s*/, '')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
}

/** What of a task says which spec it is held against. */
type SpecTask = TaskEntry & TaskPlan & TaskPlanning

/** How the spec of a task changed since the task was made, null when it did not; logged once for each new text. */
export async function noticeSpecChange({ driver, board_id }: BoardRef, task: SpecTask, spec: SpecText | null): Promise<string | null> {
  const { id, spec_ref, spec_hash: was } = task
  const now = spec?.spec_hash ?? null
  if (spec_ref === null || was === null || now === was) return null
  await driver.transaction(async (tx) => {
    const anomaly = { kind: 'anomaly', task: id, reporter: 'supervisor', type: 'spec_changed', details: { spec_ref, was, now } } as const
    if (!(await addOnce(tx, board_id, recordName(id, now), anomaly))) return
    const detail = `${spec_ref} changed since the task was made`
    await recordActivity(tx, board_id, { agent: 'supervisor', action: 'spec_changed', task: id, detail })
  })
  return specDelta(driver, board_id, spec_ref, was, spec)
}

/** The hash of the text a reviewer knows: what the spec says now, unless nobody has noticed yet that it says something else. */
export async function knownSpec({ driver, board_id }: BoardRef, task: SpecTask, spec: SpecText | null): Promise<string | null> {
  const now = spec?.spec_hash ?? null
  if (task.spec_hash === null || now === task.spec_hash) return now
  const noticed = await boardRecords.find(driver, `${board_id}/${recordName(task.id, now)}`)
  return noticed === null ? task.spec_hash : now
}

/** Whether an approval that names a text of the spec names another than there is; a spec that is gone cannot be held against anything. */
export function isOtherSpec({ spec_hash }: TaskPlanning, spec: SpecText | null, named: string | null): boolean {
  return spec === null ? spec_hash !== null : spec.spec_hash !== named
}

/** The refusal of such an approval, with what the reviewer has to read. */
export async function staleSpec(shelf: BoardRef, task: SpecTask, spec: SpecText | null): Promise<Problem> {
  const delta = await noticeSpecChange(shelf, task, spec)
  if (spec === null) return new Problem('conflict', `${task.spec_ref} is gone; restore it, or reject the work and have it replanned`)
  const { spec_hash } = spec
  const news = delta === null ? '' : `. It changed since the task was made:\n${delta}`
  const message = `${task.spec_ref} is not what the work was held against; read it again and approve with its spec_hash ${spec_hash}${news}`
  return new Problem('conflict', message, { details: { spec_hash } })
}

function recordName(taskId: string, now: string | null): string {
  return `spec_changed/${taskId}/${now}`
}
