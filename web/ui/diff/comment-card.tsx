import { MessageSquareText } from 'lucide-react'
import { Button } from '../form/button.tsx'
import { TextArea } from '../form/field.tsx'
import type { LineComment, LineComments } from './line-comments.ts'

/** A comment below its line: being written, or finished and waiting to be sent with the others. */
export function CommentCard({ comment, comments }: { comment: LineComment; comments: LineComments }) {
  if (comment.open) return <CommentForm comment={comment} comments={comments} />
  return (
    <div className="flex flex-col gap-1 rounded-lg border border-accent/40 bg-accent-wash px-3 py-2 font-sans text-sm text-ink">
      <p className="flex flex-wrap items-center gap-2 text-xs text-soft">
        <MessageSquareText size={14} aria-hidden />
        <span className="flex-1">Your comment on line {comment.line}, not sent yet</span>
        <Button small look="ghost" onClick={() => comments.change(comment.id, { open: true })}>
          Edit
        </Button>
        <Button small look="ghost" onClick={() => comments.remove(comment.id)}>
          Delete
        </Button>
      </p>
      <p className="whitespace-pre-wrap">{comment.text}</p>
      {comment.fix.trim() !== '' && (
        <p className="whitespace-pre-wrap">
          <span className="font-medium">Fix:</span> {comment.fix}
        </p>
      )}
    </div>
  )
}

function CommentForm({ comment: { id, line, side, text, fix }, comments }: { comment: LineComment; comments: LineComments }) {
  const lacks = text.trim() === '' || (comments.asksFix && fix.trim() === '')
  const save = () => !lacks && comments.change(id, { open: false })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onKeyDown={({ key, ctrlKey, metaKey }) => key === 'Enter' && (ctrlKey || metaKey) && save()}
      className="flex flex-col gap-2 rounded-lg border border-line bg-surface p-3 font-sans shadow-sm"
    >
      <TextArea
        autoFocus
        label={comments.asksFix ? `What is wrong on line ${line}` : `Comment on ${side === 'old' ? 'deleted ' : ''}line ${line}`}
        rows={2}
        value={text}
        onText={(now) => comments.change(id, { text: now })}
      />
      {comments.asksFix && (
        <TextArea label="What would be right" rows={2} value={fix} onText={(now) => comments.change(id, { fix: now })} />
      )}
      <div className="flex justify-end gap-2">
        <Button small onClick={() => comments.remove(id)}>
          Cancel
        </Button>
        <Button small look="primary" type="submit" disabled={lacks}>
          Add comment
        </Button>
      </div>
    </form>
  )
}
