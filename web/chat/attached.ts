import { useState } from 'react'
import { ATTACHMENT_BYTES, mediaTypeOf, type NewAttachment } from '../../src/domain/attachment.ts'
import { counted } from '../../src/domain/text/format.ts'
import { attachedText } from '../../src/domain/text/named-files.ts'

const MESSAGE_FILES = 10
const TEXT_CHARS = 100_000

/** A file that goes with the next message: beside it, or as text below it. */
export interface Attached {
  name: string
  file: NewAttachment | null
  text: string
}

/** Half-written messages keep their files while the page is open, each chat its own. */
const kept = new Map<string, readonly Attached[]>()

/** The files of the message that is being written, and why one could not be taken. */
export function useAttached(chatId: string) {
  const [attached, show] = useState<readonly Attached[]>(() => kept.get(chatId) ?? [])
  const [fault, setFault] = useState('')
  const put = (now: readonly Attached[]) => {
    kept.set(chatId, now)
    show(now)
  }
  return {
    attached,
    fault,
    clear: () => put([]),
    remove: (one: Attached) => put((kept.get(chatId) ?? []).filter((other) => other !== one)),
    add: (files: readonly File[]) => void addEach(files),
  }

  async function addEach(files: readonly File[]): Promise<void> {
    setFault('')
    for (const file of files) {
      const taken = await readFile(file)
      const before = kept.get(chatId) ?? []
      if (typeof taken === 'string') setFault(taken)
      else if (before.length >= MESSAGE_FILES) setFault(`At most ${counted(MESSAGE_FILES, 'file')} can go with one message.`)
      else put([...before, taken])
    }
  }
}

/** A message with what is attached to it. */
export function withAttached(text: string, attached: readonly Attached[]) {
  return {
    text: [text, ...attached.map((one) => one.text)].join(''),
    attachments: attached.flatMap(({ file }) => file ?? []),
  }
}

/** A file as it goes with a message, or why it cannot. */
async function readFile(file: File): Promise<Attached | string> {
  const name = file.name.slice(0, 255) || 'image'
  if (file.size === 0) return `${name} is empty.`
  if (file.size > ATTACHMENT_BYTES) return `${name} is larger than ${ATTACHMENT_BYTES / 1024 / 1024} MB.`
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (mediaTypeOf(bytes) !== null) return { name, file: { name, data: base64Of(bytes) }, text: '' }
  const text = new TextDecoder().decode(bytes)
  if (text.includes('\0') || text.includes('\uFFFD')) return `${name} is neither an image, a PDF nor text.`
  if (text.length > TEXT_CHARS) return `${name} is too long for a message. Put it into the folder of the chat and name it.`
  return { name, file: null, text: attachedText(name, text.trimEnd().split('\n').length, text.trimEnd()) }
}

/** In parts: a call takes only so many arguments. */
function base64Of(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 8_192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8_192)))
  return btoa(parts.join(''))
}
