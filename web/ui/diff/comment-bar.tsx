import { counted } from '../../../src/domain/text/format.ts'
import { Button } from '../form/button.tsx'
import { ErrorNote } from '../status/notice.tsx'
import { placeText, type LineComment, type LineComments } from './line-comments.ts'

interface CommentBarProps {
  comments: LineComments
  /** What sending them does, as a button says it. */
  act: string
  /** What a person should know before; also why nothing can be sent now. */
  about: string
  onSend: (ready: readonly LineComment[]) => void
  disabled?: boolean
  error?: unknown
}

/** What happens to the comments that are written: they are sent together. */
export function CommentBar({ comments, act, about, onSend, disabled = false, error = null }: CommentBarProps) {
  const { all, ready } = comments
  if (all.length === 0) return null
  const open = all.length - ready.length
  return (
    <div className="sticky bottom-2 z-10 flex flex-col gap-2 rounded-lg border border-line bg-surface p-2 pl-3 shadow-lg">
      <div className="flex flex-wrap items-center gap-2">
        <p className="min-w-0 flex-1 text-sm">
          {counted(ready.length, 'comment')}
          {open > 0 && `, ${open} still open`} <span className="text-soft">{about}</span>
        </p>
        <Button small look="ghost" onClick={comments.clear}>
          Discard all
        </Button>
        <Button small look="primary" disabled={disabled || ready.length === 0} onClick={() => onSend(ready)}>
          {act}
        </Button>
      </div>
      {error !== null && <ErrorNote error={error} />}
    </div>
  )
}

/** The comments as one text, each with its place and the line it is about. */
export function commentsText(ready: readonly LineComment[]): string {
  const each = ready.map((comment) => `${placeText(comment)}\n> ${comment.code.trim()}\n${comment.text.trim()}`)
  return `Comments on the changes:\n\n${each.join('\n\n')}`
}
