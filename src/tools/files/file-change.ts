import { createHash } from 'node:crypto'
// Synchronous but for what may be large: a trip to the thread pool takes ten times as long as one of these, and the store writes
// what a model says synchronously as well.
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  linkSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import * as z from 'zod'
import { Problem, systemCode } from '../../domain/problem.ts'
import { inFolder } from '../../sandbox/files/in-folder.ts'
import { readWhole } from '../../sandbox/files/open-inside.ts'
import { bounded } from '../bounded.ts'
import type { Previewed, ToolAnswer, ToolContext } from '../tool.ts'

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

type Done = 'created' | 'updated' | 'deleted'

/** What a tool answers that has made a change. */
export function changeAnswer(done: Done, change: FileChange): ToolAnswer {
  return { output: `${done} ${change.path}`, details: change }
}

/** What became of a change when the process died: it is done, or not begun, or someone else was there. */
export async function recoverChange(context: ToolContext, previewed: Previewed, done: Done) {
  const change = FileChange.parse(previewed)
  const now = await inPlace(context, change, async ({ file, temporary }) => {
    rmSync(temporary, { force: true })
    return hashAt(file)
  }).catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'not_found') return null // its folder was not made yet
    throw error
  })
  if (now === change.after_hash) return changeAnswer(done, change)
  return now === change.before_hash ? 'run_again' : 'interrupted'
}

/** Replaces a file in one step, keeping its mode: whoever reads it sees the old text or the new one, never a part. */
export async function replaceFile(context: ToolContext, content: string, previewed: Previewed): Promise<FileChange> {
  const change = FileChange.parse(previewed)
  return inPlace(context, change, async ({ file, temporary }) => {
    const { mode, uid, gid } = lstatSync(file)
    return withTemporary(temporary, content, change, async (fd) => {
      giveTo(fd, uid, gid)
      fchmodSync(fd, mode & 0o7777)
      await expectUnchanged(file, change)
      expectOurs(fd, temporary, change)
      renameSync(temporary, file)
      expectOurs(fd, file, change)
      return change
    })
  })
}

/** Makes a new file in one step; a file that is there already stays as it is and the call fails. */
export async function createFile(context: ToolContext, content: string, previewed: Previewed): Promise<FileChange> {
  const change = FileChange.parse(previewed)
  const create = async ({ file, temporary }: Place) =>
    withTemporary(temporary, content, change, async (fd) => {
      await expectUnchanged(file, change)
      expectOurs(fd, temporary, change)
      linkOrWrite(temporary, file, content)
      return change
    })
  return inPlace(context, change, create, true)
}

/** Removes a file or a link, if it is still the one the preview saw. */
export async function removeFile(context: ToolContext, previewed: Previewed): Promise<FileChange> {
  const change = FileChange.parse(previewed)
  return inPlace(context, change, async ({ file }) => {
    await expectUnchanged(file, change)
    unlinkSync(file)
    return change
  })
}

/** The file of a change and what is written beside it first, in a folder that is held open. */
interface Place {
  file: string
  temporary: string
}

async function inPlace<T>(context: ToolContext, change: FileChange, work: (place: Place) => Promise<T>, make = false): Promise<T> {
  const absolute = context.place(change.path)
  // Named after the call, so that recovery finds what a killed process left lying about.
  const name = `.troupe-${hash(Buffer.from(`${context.call_id} ${absolute}`)).slice(0, 16)}.tmp`
  return inFolder(context.root, dirname(absolute), (at) => work({ file: at(basename(absolute)), temporary: at(name) }), make)
}

/** A person may have approved the change of exactly that file. */
async function expectUnchanged(file: string, { path, before_hash }: FileChange): Promise<void> {
  if ((await hashAt(file)) !== before_hash) throw changedMeanwhile(path)
}

/** Whoever runs a command in the same workspace can put something else in the place of what we have written. */
function expectOurs(fd: number, place: string, { path }: FileChange): void {
  const [written, found] = [fstatSync(fd), lstatSync(place, { throwIfNoEntry: false })]
  if (found?.ino !== written.ino || found.dev !== written.dev) throw changedMeanwhile(path)
}

function changedMeanwhile(path: string): Problem {
  return new Problem('conflict', `${path} was changed by someone else in the meantime; read it again before changing it`)
}

/** The fingerprint of what is at a path; a symbolic link counts by where it points. Null when nothing is there. */
async function hashAt(file: string): Promise<string | null> {
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (found.isSymbolicLink()) return hash(Buffer.from(readlinkSync(file)))
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW) // a pipe that is there by now is not waited for
  try {
    return fstatSync(fd).isFile() ? hash(await readWhole(fd)) : 'no file'
  } finally {
    closeSync(fd)
  }
}

/** Lends the file by its descriptor: what its name stands for by now may be a link to a file outside. */
async function withTemporary<T>(temporary: string, content: string, change: FileChange, use: (fd: number) => Promise<T>): Promise<T> {
  if (hash(Buffer.from(content)) !== change.after_hash) throw changedMeanwhile(change.path)
  rmSync(temporary, { force: true })
  const fd = openSync(temporary, 'wx')
  try {
    writeFileSync(fd, content)
    return await use(fd)
  } finally {
    closeSync(fd)
    rmSync(temporary, { force: true })
  }
}

/** Only root can give a file away; for others it is theirs already. */
function giveTo(fd: number, uid: number, gid: number): void {
  try {
    fchownSync(fd, uid, gid)
  } catch {
    // it stays with whoever we are
  }
}

/** Some file systems know no hard links; there the file is made exclusively, though a crash may leave a part of it. */
function linkOrWrite(temporary: string, file: string, content: string): void {
  try {
    linkSync(temporary, file)
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error
    writeFileSync(file, content, { flag: 'wx' })
  }
}

function textOrNote(bytes: Buffer | null): string {
  if (bytes === null) return ''
  return bytes.includes(0) ? `binary file of ${bytes.length} bytes\n` : bytes.toString('utf8')
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
