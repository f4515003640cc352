import { useImperativeHandle, useRef, type Ref } from 'react'

/** What the page may do with the text box from outside. */
export interface EditorHandle {
  /** Selects a line, counted from 1. */
  goTo: (line: number) => void
}

interface EditorTextProps {
  ref: Ref<EditorHandle>
  name: string
  text: string
  onText: (text: string) => void
  faultLines: readonly number[]
}

/** A text box with the numbers of its lines; those with a fault are marked. */
export function EditorText({ ref, name, text, onText, faultLines }: EditorTextProps) {
  const box = useRef<HTMLTextAreaElement>(null)
  const gutter = useRef<HTMLOListElement>(null)
  const lines = text.split('\n')
  useImperativeHandle(ref, () => ({
    goTo: (line) => {
      const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0)
      box.current?.focus()
      box.current?.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
      const height = (box.current?.scrollHeight ?? 0) / Math.max(lines.length, 1)
      box.current?.scrollTo({ top: Math.max(0, (line - 4) * height) })
    },
  }))
  return (
    <div className="flex h-[70dvh] overflow-hidden rounded-xl border border-line bg-surface font-mono text-xs leading-5 focus-within:border-accent">
      <ol
        ref={gutter}
        aria-hidden
        className="shrink-0 overflow-hidden border-r border-line bg-raised py-3 text-right text-soft select-none"
      >
        {lines.map((_, at) => (
          <li key={at} className={`px-2 ${faultLines.includes(at + 1) ? 'bg-danger-wash font-bold text-danger' : ''}`}>
            {at + 1}
          </li>
        ))}
      </ol>
      <textarea
        ref={box}
        aria-label={`Text of ${name}`}
        value={text}
        onChange={(event) => onText(event.target.value)}
        onScroll={(event) => gutter.current?.scrollTo({ top: event.currentTarget.scrollTop })}
        spellCheck={false}
        wrap="off"
        className="min-w-0 flex-1 resize-none bg-transparent p-3 outline-none"
      />
    </div>
  )
}
