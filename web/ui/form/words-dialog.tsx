import { useState, type ComponentProps } from 'react'
import { TextArea } from './field.tsx'
import { FormDialog } from './form-dialog.tsx'

interface WordsDialogProps extends Omit<ComponentProps<typeof FormDialog>, 'onSubmit' | 'children'> {
  /** What the words are. */
  label: string
  /** Nothing is done without words. */
  needed?: boolean
  onAct: (words: string) => void
  children?: ComponentProps<typeof FormDialog>['children']
}

/** Asks for a person's words before something is done. */
export function WordsDialog({ label, needed = false, disabled = false, onAct, children, ...dialog }: WordsDialogProps) {
  const [words, setWords] = useState('')
  return (
    <FormDialog {...dialog} disabled={disabled || (needed && words.trim() === '')} onSubmit={() => onAct(words)}>
      <TextArea label={label} rows={3} value={words} onText={setWords} />
      {children}
    </FormDialog>
  )
}
