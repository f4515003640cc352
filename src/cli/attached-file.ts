import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { NewAttachment } from '../domain/attachment.ts'
import { Problem } from '../domain/problem.ts'
import { readAttachment } from '../store/attachments.ts'

/** An image or a PDF that a person names by its path. */
export async function attachedFile(file: string): Promise<NewAttachment> {
  const content = await readFile(file).catch((cause: unknown) => {
    throw new Problem('bad_input', `${file} cannot be read; attach an image or a PDF`, { cause })
  })
  const attached = { name: basename(file), data: content.toString('base64') }
  readAttachment(attached)
  return attached
}
