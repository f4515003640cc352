import { FileText } from 'lucide-react'
import { useState, type KeyboardEvent } from 'react'
import { asNamed } from '../../src/domain/text/named-files.ts'
import { useReads } from '../api.ts'

/** What is typed of a path behind an @ that stands right before the cursor. */
const typedPath = /(?:^|\s)@"?([^\s"@]*)$/

/** Completes the file that is being named with an @: what is offered, and what the keys do meanwhile. */
export function useMention(chatId: string, text: string, caret: number, put: (text: string, caret: number) => void) {
  const typed = typedPath.exec(text.slice(0, caret))?.[1]
  const [chosen, choose] = useState(0)
  const [dismissed, dismiss] = useState<string | null>(null)
  const isOpen = typed !== undefined && dismissed !== typed
  const [found] = useReads('chat.find_files', isOpen ? [{ chat: chatId, path: typed }] : [])
  const paths = (isOpen && found?.paths.slice(0, 8)) || []
  const at = Math.min(chosen, paths.length - 1)

  function pick(path: string) {
    const begin = text.slice(0, caret).lastIndexOf('@')
    const before = `${text.slice(0, begin)}${asNamed(path)} `
    choose(0)
    put(before + text.slice(caret).replace(/^ /, ''), before.length)
  }
  /** Whether the key was for the list. */
  function onKey(event: KeyboardEvent): boolean {
    const path = paths[at]
    if (path === undefined) return false
    const moves: Record<string, () => void> = {
      ArrowDown: () => choose((at + 1) % paths.length),
      ArrowUp: () => choose((at + paths.length - 1) % paths.length),
      Enter: () => pick(path),
      Tab: () => pick(path),
      Escape: () => dismiss(typed ?? null),
    }
    const move = event.shiftKey || event.nativeEvent.isComposing ? undefined : moves[event.key]
    if (move === undefined) return false
    event.preventDefault()
    event.stopPropagation()
    move()
    return true
  }
  return { paths, at, pick, onKey }
}

const LIST = 'mentioned-files'

/** The attributes of a text box whose list is open or not. */
export function mentionAria({ paths, at }: Pick<ReturnType<typeof useMention>, 'paths' | 'at'>) {
  if (paths.length === 0) return {}
  return { 'aria-controls': LIST, 'aria-activedescendant': `${LIST}-${at}`, 'aria-autocomplete': 'list' as const }
}

/** The files that fit, above the text box. */
export function MentionList({ paths, at, pick }: Pick<ReturnType<typeof useMention>, 'paths' | 'at' | 'pick'>) {
  if (paths.length === 0) return null
  return (
    <ul id={LIST} role="listbox" aria-label="Files" className="rounded-lg border border-line bg-surface p-1 shadow-xl">
      {paths.map((path, number) => (
        <li
          key={path}
          id={`${LIST}-${number}`}
          role="option"
          aria-selected={number === at}
          onMouseDown={(event) => {
            event.preventDefault() // the text box keeps the focus
            pick(path)
          }}
          className={`flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1 font-mono text-xs ${number === at ? 'bg-raised' : ''}`}
        >
          <FileText size={12} className="shrink-0 text-soft" aria-hidden />
          <span className="truncate">{path}</span>
        </li>
      ))}
    </ul>
  )
}
