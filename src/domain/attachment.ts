import * as z from 'zod'

/** What a model may be shown beside words. */
export const attachmentKinds = ['image', 'pdf'] as const
export type AttachmentKind = (typeof attachmentKinds)[number]

/** The most that one attachment may hold: what every provider takes. */
export const ATTACHMENT_BYTES = 5 * 1024 * 1024

const mediaTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'] as const
export type MediaType = (typeof mediaTypes)[number]

/** A file that was said along with words; what it holds is stored once, under its hash. */
export type AttachedFile = z.infer<typeof AttachedFile>
export const AttachedFile = z.object({ name: z.string(), media_type: z.enum(mediaTypes), hash: z.string(), bytes: z.int().positive() })

/** A file as it is handed in. */
export type NewAttachment = z.infer<typeof NewAttachment>
export const NewAttachment = z.strictObject({
  name: z.string().min(1).max(255).describe('what it is called'),
  data: z.base64().min(1).describe('a PNG, JPEG, GIF, WebP or PDF, as Base64'),
})

export function attachmentKind({ media_type }: Pick<AttachedFile, 'media_type'>): AttachmentKind {
  return media_type === 'application/pdf' ? 'pdf' : 'image'
}

/** What a file is by its first bytes, whatever it is called; null where no model takes it. */
export function mediaTypeOf(content: Uint8Array): MediaType | null {
  const head = String.fromCharCode(...content.subarray(0, 12))
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png'
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg'
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  if (/^RIFF[^]{4}WEBP/.test(head)) return 'image/webp'
  return head.startsWith('%PDF-') ? 'application/pdf' : null
}
