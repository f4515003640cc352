import { useEffect } from 'react'
import { usePerform } from '../api.ts'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { Badge } from '../ui/status/badge.tsx'
import { Loading } from '../ui/status/notice.tsx'

const tones = { new: 'accent', changed: 'warn', gone: 'neutral' } as const

/** Starts a server to see its tools, and accepts exactly what it has shown. */
export function ReviewDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const look = usePerform('mcp.review')
  const accept = usePerform('mcp.review')
  const { mutate } = look
  useEffect(() => mutate({ name }), [mutate, name])
  const shown = look.data
  return (
    <FormDialog
      title={`Tools of ${name}`}
      about="The server was started, reading only, to show its tools as they are now. What you accept is kept; anything else it says later is not used."
      act="Accept these tools"
      change={{ error: look.error ?? accept.error, isPending: look.isPending || accept.isPending }}
      disabled={shown === undefined || shown.changes.length === 0}
      onSubmit={() => accept.mutate({ name, accept: shown?.digest }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {look.isPending && <Loading label="Starting the server" />}
      {shown !== undefined && shown.changes.length === 0 && <p>Nothing has changed since you reviewed it.</p>}
      <ul className="flex max-h-80 flex-col gap-2 overflow-y-auto">
        {shown?.changes.map((tool) => (
          <li key={tool.name} className="text-sm">
            <Badge tone={tones[tool.what]}>{tool.what}</Badge> <span className="font-mono">{tool.name}</span>
            <p className="text-xs text-soft">{tool.description}</p>
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}
