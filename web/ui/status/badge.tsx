import type { ReactNode } from 'react'

const tones = {
  neutral: 'bg-raised text-soft border-line',
  accent: 'bg-accent-wash text-accent border-accent/25',
  good: 'bg-good-wash text-good border-good/25',
  warn: 'bg-warn-wash text-warn border-warn/25',
  danger: 'bg-danger-wash text-danger border-danger/25',
} as const

export type Tone = keyof typeof tones

/** A small label: a state, a count, a tool. */
export function Badge({ tone = 'neutral', title, children }: { tone?: Tone; title?: string; children: ReactNode }) {
  return (
    <span
      title={title}
      className={`inline-flex items-center gap-1 rounded-full border px-2 py-px text-xs font-medium whitespace-nowrap ${tones[tone]}`}
    >
      {children}
    </span>
  )
}

/** How a state looks: its name, its colour and what it means. */
export interface StateLook {
  label: string
  tone: Tone
  hint: string
}

/** The state of a task or a job; behind its name why, where that is said. */
export function StateBadge({ look: { label, tone, hint }, reason = null }: { look: StateLook; reason?: string | null }) {
  return (
    <Badge tone={tone} title={hint}>
      {label}
      {reason !== null && ` · ${reason}`}
    </Badge>
  )
}
