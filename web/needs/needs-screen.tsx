import { Link } from 'wouter'
import { useRead } from '../api.ts'
import { Badge, type Tone } from '../ui/status/badge.tsx'
import { Button } from '../ui/form/button.tsx'
import { Moment } from '../ui/text/figures.tsx'
import { EmptyState, ErrorNote, Loading } from '../ui/status/notice.tsx'
import { Page } from '../ui/layout/page.tsx'

/** What is minor is told by its kind alone. */
const tones: Record<'critical' | 'major', Tone> = { critical: 'danger', major: 'warn' }

/** Everything a person must do, in one place. */
export default function NeedsScreen() {
  const needs = useRead('system.list_needs', {})
  if (needs.isPending) return <Loading />
  return (
    <Page title="Needs you" about="Questions, approvals and stopped work. Nothing here continues until you answer.">
      {needs.isError && <ErrorNote error={needs.error} />}
      {needs.data?.needs.length === 0 && (
        <EmptyState title="Nothing waits for you">Questions, plans to approve and stuck work show up here.</EmptyState>
      )}
      <ul className="flex flex-col gap-2">
        {needs.data?.needs.map((need) => (
          <li key={need.id}>
            <Link
              href={need.link}
              className="flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-xl border border-line bg-surface px-4 py-3 hover:bg-raised"
            >
              {need.severity !== 'minor' && <Badge tone={tones[need.severity]}>{need.severity}</Badge>}
              <span className="min-w-0 flex-1 max-sm:order-last max-sm:basis-full">
                <span className="line-clamp-3 font-medium sm:line-clamp-2">{need.title}</span>
                {need.detail !== need.title && <span className="line-clamp-2 text-sm text-soft sm:line-clamp-1">{need.detail}</span>}
              </span>
              <Badge>{need.kind}</Badge>
              <Moment at={need.at} className="text-xs text-soft max-sm:ml-auto" />
            </Link>
          </li>
        ))}
      </ul>
      <NotificationChoice />
    </Page>
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
