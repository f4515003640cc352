import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react'
import { mentionAria, MentionList, useMention } from './mention.tsx'

interface MessageBoxProps {
  chatId: string
  text: string
  setText: (text: string) => void
  placeholder: string
  onSend: () => void
  onFiles: (files: File[]) => void
}

/** Where a message is written. Enter sends, an @ completes files, and files can be pasted. */
export function MessageBox({ chatId, text, setText, placeholder, onSend, onFiles }: MessageBoxProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(text.length)
  const moveTo = useCaret(box)
  const mention = useMention(chatId, text, caret, (now, at) => {
    setText(now)
    setCaret(at)
    moveTo(at)
  })

  function onKey(event: KeyboardEvent) {
    if (mention.onKey(event)) return
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    onSend()
  }
  return (
    <div className="relative w-full min-w-0">
      <div className="absolute inset-x-0 bottom-full mb-1">
        <MentionList {...mention} />
      </div>
      <textarea
        ref={box}
        aria-label="Message"
        data-composer
        rows={Math.min(8, Math.max(2, text.split('\n').length))}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setCaret(event.target.selectionStart)
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={onKey}
        onPaste={(event) => {
          const files = [...event.clipboardData.files]
          if (files.length === 0) return
          event.preventDefault()
          onFiles(files)
        }}
        placeholder={placeholder}
        {...mentionAria(mention)}
        className="block min-h-11 w-full resize-none rounded-lg border border-line bg-canvas px-3 py-2 focus-visible:border-role"
      />
    </div>
  )
}

/** Puts the cursor somewhere once the new text is in the box; before, the browser would put it at the end. */
function useCaret(box: RefObject<HTMLTextAreaElement | null>): (at: number) => void {
  const [wanted, want] = useState<{ at: number } | null>(null)
  useEffect(() => {
    if (wanted !== null) box.current?.setSelectionRange(wanted.at, wanted.at)
  }, [wanted, box])
  return (at) => want({ at })
}
