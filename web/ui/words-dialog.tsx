import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { TextArea } from './field.tsx'
import { ErrorNote } from './notice.tsx'

interface WordsDialogProps {
  title: string
  about: string
  /** What the words are. */
  label: string
  /** What the button says that does it. */
  act: string
  look?: 'primary' | 'plain' | 'danger'
  /** Nothing is done without words. */
  needed?: boolean
  disabled: boolean
  error: Error | null
  onAct: (words: string) => void
  onClose: () => void
  children?: ReactNode
}

/** Asks for a person's words before something is done. What is refused is told here, and the words stay. */
export function WordsDialog(props: WordsDialogProps) {
  const { title, about, label, act, look = 'primary', needed = false, disabled, error, onAct, onClose, children } = props
  const [words, setWords] = useState('')
  return (
    <Dialog
      onClose={onClose}
      title={title}
      about={about}
      actions={
        <>
          <Button onClick={onClose}>Back</Button>
          <Button look={look} disabled={disabled || (needed && words.trim() === '')} onClick={() => onAct(words)}>
            {act}
          </Button>
        </>
      }
    >
      <TextArea label={label} rows={3} value={words} onChange={(event) => setWords(event.target.value)} />
      {children}
      {error !== null && <ErrorNote error={error} />}
    </Dialog>
  )
}
