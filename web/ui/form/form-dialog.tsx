import { useId, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from '../overlay/dialog.tsx'
import { Form } from './form.tsx'
import { ErrorNote } from '../status/notice.tsx'

interface FormDialogProps {
  title: string
  about: string
  /** What the button says that does it. */
  act: string
  look?: 'primary' | 'plain' | 'danger'
  /** What is sent with the form. */
  change: { error: Error | null; isPending: boolean }
  disabled?: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A form in a dialog. What is refused is told here, and what was typed stays. */
export function FormDialog(props: FormDialogProps) {
  const { title, about, act, look = 'primary', change, disabled = false, onSubmit, onClose, children } = props
  const id = useId()
  return (
    <Dialog
      onClose={onClose}
      title={title}
      about={about}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={id} look={look} disabled={disabled || change.isPending}>
            {act}
          </Button>
        </>
      }
    >
      <Form id={id} onSubmit={onSubmit} className="flex flex-col gap-4">
        {children}
        {change.error !== null && <ErrorNote error={change.error} />}
      </Form>
    </Dialog>
  )
}
