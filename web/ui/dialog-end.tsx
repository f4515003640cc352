import { Button } from './button.tsx'
import { ErrorNote } from './notice.tsx'

interface DialogEndProps {
  /** What is sent when the form is. */
  change: { isError: boolean; error: unknown; isPending: boolean }
  act: string
  onClose: () => void
}

/** The end of a form in a dialog: why it was refused, and the two ways out. */
export function DialogEnd({ change, act, onClose }: DialogEndProps) {
  return (
    <>
      {change.isError && <ErrorNote error={change.error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Back</Button>
        <Button type="submit" look="primary" disabled={change.isPending}>
          {act}
        </Button>
      </div>
    </>
  )
}
