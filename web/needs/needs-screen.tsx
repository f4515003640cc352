import { ChevronDown } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { Need } from '../../src/domain/need.ts'
import { useRead } from '../api.ts'
import { Badge, type Tone } from '../ui/status/badge.tsx'
import { Button } from '../ui/form/button.tsx'
import { Moment } from '../ui/text/figures.tsx'
import { EmptyState, ErrorNote } from '../ui/status/notice.tsx'
import { SkeletonRows } from '../ui/status/skeleton.tsx'
import { Page } from '../ui/layout/page.tsx'
import { AnswerHere } from './answer-here.tsx'
import { useInboxKeys } from './use-inbox-keys.ts'

/** What is minor is told by its kind alone. */
const tones: Record<'critical' | 'major', Tone> = { critical: 'danger', major: 'warn' }

const areas = { chat: 'Chats', board: 'Boards', jobs: 'Jobs', workflows: 'Workflows' } as const

/** Everything a person must do, by area, and answered in place. */
export default function NeedsScreen() {
  const read = useRead('system.list_needs', {})
  const [open, setOpen] = useState<string | null>(null)
  const [chosen, setChosen] = useState<string | null>(null)
  const [, go] = useLocation()
  const needs = read.data?.needs ?? []
  const groups = Map.groupBy(needs, areaOf) // most urgent first, by the order they come in
  const inOrder = [...groups.values()].flat()
  const toggle = (id: string) => setOpen((now) => (now === id ? null : id))
  useInboxKeys(inOrder, chosen, { onChoose: setChosen, onToggle: toggle, onGo: go })
  return (
    <Page title="Needs you" about="Questions, approvals and stopped work. Nothing here continues until you answer.">
      {read.isPending && <SkeletonRows />}
      {read.isError && <ErrorNote error={read.error} />}
      {read.data !== undefined && needs.length === 0 && (
        <EmptyState title="Nothing waits for you">Questions, plans to approve and stuck work show up here.</EmptyState>
      )}
      {[...groups].map(([area, theirs]) => (
        <section key={area} aria-label={area} className="flex flex-col gap-2">
          <h2 className="text-xs font-semibold text-soft">
            {area} · {theirs.length}
          </h2>
          <ul className="flex flex-col gap-2">
            {theirs.map((need) => (
              <Row key={need.id} need={need} open={need.id === open} chosen={need.id === chosen} onToggle={() => toggle(need.id)} />
            ))}
          </ul>
        </section>
      ))}
      {needs.length > 0 && <p className="text-xs text-soft max-sm:hidden">j and k choose, Enter opens, 1 to 9 answer, e goes there.</p>}
      <NotificationChoice />
    </Page>
  )
}

function areaOf({ link }: Need): string {
  const way = link.split('/')[1]
  return way === 'chat' || way === 'board' || way === 'jobs' || way === 'workflows' ? areas[way] : 'Other'
}

interface RowProps {
  need: Need
  open: boolean
  chosen: boolean
  onToggle: () => void
}

function Row({ need, open, chosen, onToggle }: RowProps) {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (chosen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen, open])
  return (
    <li
      ref={row}
      aria-current={chosen ? true : undefined}
      data-need={need.id}
      className={`overflow-hidden rounded-xl border bg-surface ${chosen ? 'border-accent' : 'border-line'}`}
    >
      <div className="flex items-center">
        <Link href={need.link} className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1.5 px-4 py-3 hover:bg-raised">
          {need.severity !== 'minor' && <Badge tone={tones[need.severity]}>{need.severity}</Badge>}
          <span className="min-w-0 flex-1 max-sm:order-last max-sm:basis-full">
            <span className="line-clamp-3 font-medium sm:line-clamp-2">{need.title}</span>
            {need.detail !== need.title && <span className="line-clamp-2 text-sm text-soft sm:line-clamp-1">{need.detail}</span>}
          </span>
          <Badge>{need.kind}</Badge>
          <Moment at={need.at} className="text-xs text-soft max-sm:ml-auto" />
        </Link>
        <Button look="ghost" aria-expanded={open} aria-label={`Answer here: ${need.title}`} onClick={onToggle} className="mr-2">
          <ChevronDown size={16} className={`transition-transform ${open ? 'rotate-180' : ''}`} aria-hidden />
        </Button>
      </div>
      {open && (
        <div data-answer className="border-t border-line p-4">
          <AnswerHere need={need} />
        </div>
      )}
    </li>
  )
}

function NotificationChoice() {
  if (!('Notification' in window) || Notification.permission !== 'default') return null
  return (
    <p className="flex items-center gap-3 text-sm text-soft">
      Get notified when something needs you, even while this page is in the background.
      <Button small onClick={() => void Notification.requestPermission()}>
        Allow notifications
      </Button>
    </p>
  )
}
