import { createHash } from 'node:crypto'
import { ATTACHMENT_BYTES, mediaTypeOf, type AttachedFile, type NewAttachment } from '../domain/attachment.ts'
import { Problem } from '../domain/problem.ts'
import type { Driver } from './driver.ts'

/** What a file is, before anything is stored of it; refused where no model would take it. */
export function readAttachment({ name, data }: NewAttachment): AttachedFile {
  const content = Buffer.from(data, 'base64')
  const media_type = mediaTypeOf(content)
  if (media_type === null) throw new Problem('bad_input', `${name} is not a PNG, JPEG, GIF, WebP or PDF; text goes into the message itself`)
  if (content.length > ATTACHMENT_BYTES)
    throw new Problem('too_large', `${name} has ${content.length} bytes; an attachment has at most ${ATTACHMENT_BYTES}`)
  return { name, media_type, hash: createHash('sha256').update(content).digest('hex'), bytes: content.length }
}

/** Stores what files hold, each content once. */
export async function keepAttachments(tx: Driver, files: readonly NewAttachment[]): Promise<AttachedFile[]> {
  const kept = files.map(readAttachment)
  for (const [at, { hash }] of kept.entries()) {
    const known = await tx.query('select hash from "attachments" where hash = $1', [hash])
    if (known.length === 0)
      await tx.query('insert into "attachments" (hash, data) values ($1, $2) on conflict do nothing', [hash, files[at]?.data ?? ''])
  }
  return kept
}

/** What stored files hold, as Base64, by their hashes. */
export async function attachmentContents(driver: Driver, hashes: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const hash of new Set(hashes)) {
    const [row] = await driver.query<{ data: string }>('select data from "attachments" where hash = $1', [hash])
    if (row !== undefined) found.set(hash, row.data)
  }
  return found
}

/** Stored files as they are handed in. */
export async function attachedAgain(driver: Driver, files: readonly AttachedFile[]): Promise<NewAttachment[]> {
  const contents = await attachmentContents(
    driver,
    files.map(({ hash }) => hash),
  )
  return files.flatMap(({ name, hash }) => {
    const data = contents.get(hash)
    return data === undefined ? [] : [{ name, data }]
  })
}

/** Removes what these files hold where nothing that was said names it any more. */
export async function forgetAttachments(tx: Driver, files: readonly AttachedFile[]): Promise<void> {
  for (const hash of new Set(files.map((file) => file.hash))) {
    const [named] = await tx.query('select id from "entries" where data like $1 limit 1', [`%"${hash}"%`])
    if (named === undefined) await tx.query('delete from "attachments" where hash = $1', [hash])
  }
}
