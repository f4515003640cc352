import { Gauge, Play } from 'lucide-react'
import { useState } from 'react'
import type { ChatView } from '../../src/api/contract/chat.ts'
import { useChange } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { ErrorNote } from '../ui/notice.tsx'

/** What a person can do about a turn that ended before it was done: carry it on, or first give it more room. */
export function RunEnded({ chat }: { chat: ChatView }) {
  const { run } = chat
  if (run === null || chat.running || run.status === 'completed' || run.status === 'waiting') return null
  if (run.status === 'failed' && (run.reason === 'budget' || run.reason === 'turn_limit')) return <LimitReached chat={chat} run={run} />
  return <Interrupted chat={chat} status={run.status} />
}

const words = {
  running: 'This turn was interrupted. Everything up to here is kept.',
  stopped: 'You can carry on where it stopped.',
  failed: 'The turn ended before it was done; the reason stands above.',
} as const

function Interrupted({ chat, status }: { chat: ChatView; status: keyof typeof words }) {
  const resume = useChange('continueChat')
  return (
    <div className="border-t border-line bg-warn-wash px-4 py-2 text-sm text-warn">
      <div className="mx-auto flex max-w-3xl flex-wrap items-center gap-3">
        <span className="min-w-0 flex-1">{words[status]}</span>
        <Button
          small
          icon={<Play size={14} aria-hidden />}
          onClick={() => resume.mutate({ params: { id: chat.id } })}
          disabled={resume.isPending}
        >
          Continue
        </Button>
        {resume.isError && <ErrorNote error={resume.error} />}
      </div>
    </div>
  )
}

/** Each limit that can be reached, and how it is put to a person. Tokens and turns as they are, money in dollars. */
const limits = {
  max_turns: { label: 'Turns for one request', unit: 1 },
  max_tokens: { label: 'Tokens for one request', unit: 1 },
  max_cost_microusd: { label: 'Dollars for one request', unit: 1_000_000 },
} as const

type LimitName = keyof typeof limits

function LimitReached({ chat, run }: { chat: ChatView; run: NonNullable<ChatView['run']> }) {
  const configure = useChange('configureChat')
  const resume = useChange('continueChat')
  const name = reached(run)
  const { label, unit } = limits[name]
  const [raised, setRaised] = useState(((run.limits[name] ?? 0) * 2) / unit)
  const params = { id: chat.id }
  function raise() {
    const body = { limits: { ...chat.config.limits, [name]: Math.round(raised * unit) } }
    configure.mutate({ params, body }, { onSuccess: () => resume.mutate({ params }) })
  }
  const busy = configure.isPending || resume.isPending
  return (
    <section aria-label="Limit reached" className="border-t-2 border-warn/60 bg-warn-wash px-4 py-3 text-sm">
      <div className="mx-auto flex max-w-3xl flex-col gap-2">
        <p className="flex items-center gap-2 font-semibold text-warn">
          <Gauge size={16} aria-hidden />
          The limit is reached; the next call waits for you
        </p>
        <div className="flex flex-wrap items-end gap-2">
          <div className="w-44">
            <TextField
              label={label}
              type="number"
              min={0}
              step="any"
              value={raised}
              onChange={(event) => setRaised(Number(event.target.value))}
            />
          </div>
          <Button look="primary" onClick={raise} disabled={busy || !(raised > 0)}>
            Raise and continue
          </Button>
          <Button onClick={() => resume.mutate({ params })} disabled={busy}>
            Continue with the same limit
          </Button>
        </div>
        {configure.isError && <ErrorNote error={configure.error} />}
        {resume.isError && <ErrorNote error={resume.error} />}
      </div>
    </section>
  )
}

function reached({ reason, limits: set, usage }: NonNullable<ChatView['run']>): LimitName {
  if (reason === 'turn_limit') return 'max_turns'
  const tokens = usage.input_tokens + usage.output_tokens
  return set.max_tokens !== null && tokens >= set.max_tokens ? 'max_tokens' : 'max_cost_microusd'
}
