import { createHash } from 'node:crypto'
import { chmod, chown, link, lstat, mkdir, readFile, readlink, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import * as z from 'zod'
import { Problem } from '../domain/problem.ts'
import { openInside } from '../sandbox/open-inside.ts'
import { bounded } from './bounded.ts'
import type { Previewed, ToolAnswer, ToolContext } from './tool.ts'

const DIFF_CHARS = 30_000

/** What a call is about to do to one file. The hashes tell after a crash whether it was done; null means no file. */
export type FileChange = z.infer<typeof FileChange>
export const FileChange = z.object({
  path: z.string(),
  before_hash: z.string().nullable(),
  after_hash: z.string().nullable(),
  diff: z.string(),
})

/** A change as the approval card shows it and recovery needs it. */
export async function describeChange(path: string, before: Buffer | null, after: Buffer | null): Promise<FileChange> {
  const { createTwoFilesPatch } = await import('diff')
  const names = [before === null ? '/dev/null' : path, after === null ? '/dev/null' : path] as const
  const patch = createTwoFilesPatch(...names, textOrNote(before), textOrNote(after), '', '', { context: 3, timeout: 1_000 })
  return {
    path,
    before_hash: before === null ? null : hash(before),
    after_hash: after === null ? null : hash(after),
    diff: bounded(patch ?? `${path} changes in too many places to show`, DIFF_CHARS),
  }
}

/** What became of a change when the process died: it is done, or not begun, or someone else was there. */
export async function recoverChange(context: ToolContext, previewed: Previewed, done: (change: FileChange) => ToolAnswer) {
  const change = FileChange.parse(previewed)
  const absolute = context.place(change.path)
  await rm(temporaryFor(context, absolute), { force: true })
  const now = await hashAt(absolute)
  if (now === change.after_hash) return done(change)
  return now === change.before_hash ? 'run_again' : 'interrupted'
}

/** The announced change, if the file is still the one the preview saw: a person may have approved that one. */
export async function expectUnchanged({ place }: ToolContext, previewed: Previewed): Promise<FileChange> {
  const change = FileChange.parse(previewed)
  const absolute = place(change.path)
  const folder = await realpath(dirname(absolute)).catch(() => null)
  if (folder !== dirname(absolute)) throw new Problem('denied', `the folder of ${change.path} was swapped for another; nothing was changed`)
  if ((await hashAt(absolute)) === change.before_hash) return change
  throw new Problem('conflict', `${change.path} was changed by someone else in the meantime; read it again before changing it`)
}

/** Replaces a file in one step, keeping its mode: whoever reads it sees the old text or the new one, never a part. */
export async function replaceFile(context: ToolContext, path: string, content: string, previewed: Previewed): Promise<FileChange> {
  const absolute = context.place(path)
  const { mode, uid, gid } = await lstat(absolute)
  return withTemporary(context, absolute, content, async (temporary) => {
    await chown(temporary, uid, gid).catch(() => undefined) // only root can give a file away; for others it is theirs already
    await chmod(temporary, mode)
    const change = await expectUnchanged(context, previewed)
    await rename(temporary, absolute)
    return change
  })
}

/** Makes a new file in one step; a file that is there already stays as it is and the call fails. */
export async function createFile(context: ToolContext, path: string, content: string, previewed: Previewed): Promise<FileChange> {
  const absolute = context.place(path)
  await mkdir(dirname(absolute), { recursive: true })
  return withTemporary(context, absolute, content, async (temporary) => {
    const change = await expectUnchanged(context, previewed)
    await link(temporary, absolute).catch((error: NodeJS.ErrnoException) => {
      // Some file systems know no hard links; there the file is made exclusively, though a crash may leave a part of it.
      if (error.code === 'EPERM' || error.code === 'ENOTSUP' || error.code === 'ENOSYS') return writeFile(absolute, content, { flag: 'wx' })
      throw error
    })
    return change
  })
}

/** The fingerprint of what is at a path; a symbolic link counts by where it points. Null when nothing is there. */
async function hashAt(absolute: string): Promise<string | null> {
  const found = await lstat(absolute).catch(() => null)
  if (found === null) return null
  return hash(found.isSymbolicLink() ? Buffer.from(await readlink(absolute)) : await readFile(absolute))
}

/** Writes beside a file first. If the folder is swapped for a link meanwhile, what was written is not there to be put in place. */
async function withTemporary<T>(
  context: ToolContext,
  absolute: string,
  content: string,
  use: (temporary: string) => Promise<T>,
): Promise<T> {
  const temporary = temporaryFor(context, absolute)
  try {
    await rm(temporary, { force: true })
    const { file } = await openInside(context.root, relative(context.root, temporary), 'create')
    try {
      await file.writeFile(content)
    } finally {
      await file.close()
    }
    return await use(temporary)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Named after the call, so that recovery finds what a killed process left lying about. */
function temporaryFor({ call_id }: ToolContext, absolute: string): string {
  return join(dirname(absolute), `.troupe-${hash(Buffer.from(`${call_id} ${absolute}`)).slice(0, 16)}.tmp`)
}

function textOrNote(bytes: Buffer | null): string {
  if (bytes === null) return ''
  return bytes.includes(0) ? `binary file of ${bytes.length} bytes\n` : bytes.toString('utf8')
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
