import { spentText, type Spending } from '../../../src/domain/text/format.ts'
import type { Usage } from '../../../src/domain/entry.ts'

type Spent = Pick<Usage, 'input_tokens' | 'cached_input_tokens' | 'output_tokens' | 'estimated'>

/** Tokens of one or many turns, of a limit where there is one; what came from a cache was paid less for, so it is told. */
export function Tokens({ usage, of = null }: { usage: Spent; of?: number | null }) {
  const { input_tokens, cached_input_tokens, output_tokens } = usage
  const parts = `${input_tokens} in (${cached_input_tokens} from the cache), ${output_tokens} out`
  return (
    <span title={usage.estimated === true ? `about ${parts}; the server did not say all of it` : parts}>
      {usage.estimated === true && '≈'}
      {(input_tokens + output_tokens).toLocaleString('en')}
      {of !== null && ` of ${of.toLocaleString('en')}`} tokens
    </span>
  )
}

/** What was spent, as a person reads it, of a limit where there is one. Unknown is said, never shown as zero; an estimate is marked. */
export function Money({ spent, of = null }: { spent: Spending; of?: number | null }) {
  return <span title={whyUncertain(spent)}>{spentText(spent, of)}</span>
}

function whyUncertain({ cost_microusd, estimated }: Spending): string | undefined {
  if (cost_microusd === null) return 'The price of this model is not known'
  return estimated === true ? 'An estimate: the server did not say all of it' : undefined
}

/** When something happened: short on screen, exact on hover. */
export function Moment({ at, className = '' }: { at: string; className?: string }) {
  const time = new Date(at)
  const sameDay = time.toDateString() === new Date().toDateString()
  const text = sameDay
    ? time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
    : time.toLocaleDateString([], { day: 'numeric', month: 'short' })
  return (
    <time dateTime={at} title={time.toLocaleString()} className={`whitespace-nowrap ${className}`}>
      {text}
    </time>
  )
}

/** How far along something is; the words beside it carry the same information. */
export function ProgressBar({ done, of, label }: { done: number; of: number; label: string }) {
  const percent = of === 0 ? 0 : Math.round((done / of) * 100)
  return (
    <div className="flex items-center gap-2 text-xs text-soft">
      <progress
        value={done}
        max={of}
        aria-label={label}
        className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-line [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-accent"
      />
      <span className="tabular-nums">{percent}%</span>
    </div>
  )
}
