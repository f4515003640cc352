import { Paperclip } from 'lucide-react'
import type { AttachedFile } from '../../src/domain/attachment.ts'
import { withoutAttached } from '../../src/domain/text/named-files.ts'
import { useFixedRead } from '../api.ts'

interface Said {
  text: string
  attachments?: readonly AttachedFile[]
}

/** What a person said as they typed it, and the names of the files that went along. */
export function SaidText({ message: { text, attachments = [] } }: { message: Said }) {
  const typed = withoutAttached(text)
  const names = [...typed.files, ...attachments.map(({ name }) => name)]
  return (
    <>
      {names.length === 0 ? text : typed.text}
      {names.length > 0 && <FileNames names={names} />}
    </>
  )
}

export function FileNames({ names }: { names: readonly string[] }) {
  return (
    <span className="mt-1 flex items-baseline gap-x-1.5 text-xs text-soft">
      <Paperclip size={12} className="shrink-0 translate-y-0.5" aria-label="Attached" />
      <span className="min-w-0 wrap-anywhere">{names.join(', ')}</span>
    </span>
  )
}

/** The images among the files of a message, as they look; of a PDF there is only its name. */
export function Pictures({ chatId, files }: { chatId: string; files: readonly AttachedFile[] }) {
  const images = files.filter(({ media_type }) => media_type !== 'application/pdf')
  if (images.length === 0) return null
  return (
    <div className="mt-2 flex flex-wrap gap-2">
      {images.map(({ hash, name }) => (
        <Picture key={hash} chatId={chatId} hash={hash} name={name} />
      ))}
    </div>
  )
}

function Picture({ chatId, hash, name }: { chatId: string; hash: string; name: string }) {
  const { data } = useFixedRead('chat.show_attachment', { chat: chatId, hash })
  if (data === undefined) return null
  const source = `data:${data.media_type};base64,${data.data}`
  return <img src={source} alt={name} className="max-h-60 max-w-full rounded-md border border-line object-contain" />
}
