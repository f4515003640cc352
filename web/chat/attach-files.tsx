import { Paperclip, X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '../ui/form/button.tsx'
import type { Attached, useAttached } from './attached.ts'

/** Opens the browser's choice of files. */
export function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        look="ghost"
        icon={Paperclip}
        aria-label="Attach files"
        title="Attach images, PDFs or text"
        onClick={() => input.current?.click()}
      />
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = '' // the same file can be chosen again
        }}
      />
    </>
  )
}

/** What goes with the next message, each to be left out again. */
export function AttachedList({ attached, fault, remove }: Pick<ReturnType<typeof useAttached>, 'attached' | 'fault' | 'remove'>) {
  return (
    <>
      {attached.length > 0 && (
        <ul aria-label="Attached to your message" className="flex flex-wrap gap-2">
          {attached.map((one, at) => (
            <Chip key={`${at} ${one.name}`} one={one} onRemove={() => remove(one)} />
          ))}
        </ul>
      )}
      {fault !== '' && (
        <p role="alert" className="text-xs text-danger">
          {fault}
        </p>
      )}
    </>
  )
}

function Chip({ one, onRemove }: { one: Attached; onRemove: () => void }) {
  return (
    <li className="flex max-w-full items-center gap-1 rounded-md border border-line bg-raised pl-2 text-xs">
      <Paperclip size={12} className="shrink-0 text-soft" aria-hidden />
      <span className="truncate">{one.name}</span>
      <Button small look="ghost" icon={X} aria-label={`Leave out ${one.name}`} onClick={onRemove} />
    </li>
  )
}

/** Files dropped anywhere on the page go with the message; left alone, the browser would open them in place of the page. */
export function useDropped(onFiles: (files: File[]) => void): void {
  const onDrag = useEffectEvent((event: DragEvent) => {
    if (event.dataTransfer?.types.includes('Files') !== true) return
    event.preventDefault()
    if (event.type === 'drop') onFiles([...event.dataTransfer.files])
  })
  useEffect(() => {
    const kinds = ['dragover', 'drop'] as const
    for (const kind of kinds) window.addEventListener(kind, onDrag)
    return () => kinds.forEach((kind) => window.removeEventListener(kind, onDrag))
  }, [])
}
