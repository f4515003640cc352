import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import { Problem } from '../../domain/problem.ts'
import { isInside } from '../../sandbox/files/inside.ts'
import { secretRule } from '../../sandbox/files/secret.ts'
import type { Driver } from '../../store/driver.ts'
import { boardRecords } from '../../store/tables.ts'
import { fileAtCommit } from '../../worktrees/file-at.ts'
import type { Repository } from '../../worktrees/repository.ts'
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
  if (!isInside(root, path)) throw new Problem('denied', `the spec ${given} lies outside the workspace ${root}`)
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

/** What to do about a spec that no commit has; one that lies in the checkout only lacks a commit. */
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
