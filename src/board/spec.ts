import { hash } from 'node:crypto'
import { closeSync } from 'node:fs'
import { createTwoFilesPatch } from 'diff'
import { Problem } from '../domain/problem.ts'
import { openInside, readWhole } from '../sandbox/open-inside.ts'
import type { Driver } from '../store/driver.ts'
import { boardRecords } from '../store/tables.ts'
import { addOnce } from './records.ts'

/** What a `spec_ref` means at this moment. */
export interface SpecText {
  spec_hash: string
  text: string
}

/** Reads the file a `spec_ref` names, or the section its anchor names; null when it names none, or there is no such file in the project. */
export async function readSpec(root: string, specRef: string | null): Promise<SpecText | null> {
  if (specRef === null) return null
  const [path = '', anchor] = specRef.split('#', 2)
  const whole = await textOf(root, path)
  if (whole === null) return null
  const text = (anchor === undefined ? null : sectionOf(whole, anchor)) ?? whole
  return { spec_hash: hash('sha256', text), text }
}

/** Opened so that a pipe in its place is not waited for; null for what is no file. A path out of the project is refused. */
async function textOf(root: string, path: string): Promise<string | null> {
  const opened = await openInside(root, path, 'read').catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'denied') throw error
    return null
  })
  if (opened === null) return null
  try {
    return (await readWhole(opened.fd)).toString('utf8')
  } finally {
    closeSync(opened.fd)
  }
}

/** The spec, or a refusal: a task whose spec is missing would only be blocked later. */
export async function needSpec(root: string, specRef: string): Promise<SpecText> {
  const spec = await readSpec(root, specRef)
  if (spec !== null) return spec
  throw new Problem(
    'bad_input',
    `the spec ${specRef} is not a file of this project; write it first, or name another from the top of the repository`,
  )
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
