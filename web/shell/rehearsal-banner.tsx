import { Clapperboard } from 'lucide-react'
import { useState } from 'react'
import { useRead } from '../api.ts'
import { Button } from '../ui/form/button.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'

/** Says that no real model is playing, what the rehearsal can show, and how to set a real one. */
export function RehearsalBanner() {
  const status = useRead('system.status', {})
  const [open, setOpen] = useState(false)
  if (!status.data?.rehearsal) return null
  return (
    <aside
      aria-label="Rehearsal"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-warn-wash px-4 py-1.5 text-sm text-warn"
    >
      <Clapperboard size={16} aria-hidden />
      <span className="min-w-0 flex-1">
        <strong>Rehearsal.</strong> No model key
        <span className="max-sm:hidden"> is set, so a scripted stand-in plays the part. Every screen works; the answers are canned</span>.
      </span>
      <Button small onClick={() => setOpen(true)}>
        Use a real model
      </Button>
      {open && <RealModel onClose={() => setOpen(false)} />}
    </aside>
  )
}

function RealModel({ onClose }: { onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title="Use a real model" about="Set one of these before you start Troupe, then start it again.">
      <ul className="flex list-disc flex-col gap-1.5 pl-5">
        <li>
          <code className="font-mono">ANTHROPIC_API_KEY</code>, <code className="font-mono">OPENAI_API_KEY</code>,{' '}
          <code className="font-mono">GEMINI_API_KEY</code> or <code className="font-mono">OPENROUTER_API_KEY</code>
        </li>
        <li>A local server such as Ollama or LM Studio: Troupe finds it on its usual port.</li>
        <li>
          Which model plays is the line <code className="font-mono">model: provider/name</code> in{' '}
          <code className="font-mono">~/.config/troupe/config.yaml</code>; <code className="font-mono">troupe doctor</code> tells what is
          found.
        </li>
      </ul>
      <p className="text-soft">
        The rehearsal can take you through plan, approval, execution and a question in the demo workspace, without any key and without
        sending anything anywhere.
      </p>
    </Dialog>
  )
}
