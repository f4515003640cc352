import { copyFile, readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Job } from '../domain/job.ts'
import { Problem } from '../domain/problem.ts'
import { bounded } from '../tools/bounded.ts'
import { makeFolders, placesOf } from './files.ts'

/** A file a person gave the job to read. */
export interface Attachment {
  name: string
  /** Null for a file that is not text. */
  text: string | null
  bytes: number
}

const ONE_CHARS = 100_000
const ALL_CHARS = 400_000

/** Copies files into the job; one of the same name is replaced. */
export async function attachFiles(job: Job, files: readonly string[]): Promise<void> {
  for (const file of files) {
    const found = await stat(file).catch((): null => null)
    if (!found?.isFile()) throw new Problem('bad_input', `${file} cannot be attached: it is not a file`)
  }
  await makeFolders(job)
  for (const file of files) await copyFile(file, join(placesOf(job).attachments, basename(file)))
}

/** What is attached to a job. */
export async function attachmentsOf(job: Job): Promise<Attachment[]> {
  const folder = placesOf(job).attachments
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  const files = entries.filter((entry) => entry.isFile()).map((entry) => entry.name)
  return Promise.all(files.toSorted().map((name) => readAttachment(folder, name)))
}

/** The attachments as a part of the prompt; they lie outside the workspace, so the agent reads them here. */
export function attachmentText(attachments: readonly Attachment[]): string {
  let room = ALL_CHARS
  return attachments
    .map(({ name, text, bytes }) => {
      if (text === null) return `<attachment name="${name}">not text, ${bytes} bytes; it is not shown</attachment>`
      const shown = bounded(text, Math.min(ONE_CHARS, room))
      room = Math.max(0, room - shown.length)
      return `<attachment name="${name}">\n${shown}\n</attachment>`
    })
    .join('\n')
}

async function readAttachment(folder: string, name: string): Promise<Attachment> {
  const content = await readFile(join(folder, name))
  return { name, text: content.includes(0) ? null : content.toString('utf8'), bytes: content.length }
}
