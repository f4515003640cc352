import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Job } from '../../domain/job/job.ts'
import { Problem } from '../../domain/problem.ts'
import { writeWhole } from '../../sandbox/files/write-whole.ts'
import { bounded } from '../../tools/bounded.ts'
import { makeFolders, jobFilePlaces } from '../view/files.ts'

/** A file a person gave the job to read. */
export interface Attachment {
  name: string
  /** Null for a file that is not text, or too much of it. */
  text: string | null
  bytes: number
}

/** What is larger is no reading matter, and would be read into memory for every prompt. */
const BYTES_AT_MOST = 16 * 1024 * 1024
const ONE_CHARS = 100_000
const ALL_CHARS = 400_000

/** Copies files into the job; one of the same name is replaced. */
export async function attachFiles(job: Job, files: readonly string[]): Promise<void> {
  await checkAttachments(files)
  await makeFolders(job)
  for (const file of files) await writeWhole(join(jobFilePlaces(job).attachments, basename(file)), await readFile(file))
}

/** Refuses files that cannot be attached together. */
export async function checkAttachments(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const found = await stat(file).catch((): null => null)
    if (!found?.isFile()) throw new Problem('bad_input', `${file} cannot be attached: it is not a file`)
    if (found.size > BYTES_AT_MOST)
      throw new Problem('too_large', `${file} cannot be attached: it has ${found.size} bytes, and at most ${BYTES_AT_MOST} are read`)
  }
  const names = files.map((file) => basename(file))
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice !== undefined) throw new Problem('bad_input', `two of the files are called ${twice}; give one of them another name`)
}

/** What is attached to a job. */
export async function attachmentsOf(job: Job): Promise<Attachment[]> {
  const folder = jobFilePlaces(job).attachments
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
  return Promise.all(files.toSorted().map((name) => readAttachment(folder, name)))
}

/** The attachments as a part of the prompt; they lie outside the workspace, so the agent reads them here. */
export function attachmentText(attachments: readonly Attachment[]): string {
  let room = ALL_CHARS
  return attachments
    .map(({ name, text, bytes }) => {
      if (text === null)
        return `<attachment name=${JSON.stringify(name)}>not text, or too long: ${bytes} bytes that are not shown</attachment>`
      const shown = bounded(text, Math.min(ONE_CHARS, room))
      room = Math.max(0, room - shown.length)
      return `<attachment name=${JSON.stringify(name)}>\n${shown}\n</attachment>`
    })
    .join('\n')
}

async function readAttachment(folder: string, name: string): Promise<Attachment> {
  const { size } = await stat(join(folder, name))
  if (size > BYTES_AT_MOST) return { name, text: null, bytes: size } // put there by hand
  const content = await readFile(join(folder, name))
  return { name, text: content.includes(0) ? null : content.toString('utf8'), bytes: content.length }
}
