import { Refusal } from '../../api.ts'
import { BackLink } from '../layout/back-link.tsx'
import { EmptyState, ErrorNote } from './notice.tsx'
import { Page } from '../layout/page.tsx'

interface MissingProps {
  error: unknown
  /** What was looked for, such as `chat`. */
  what: string
  /** Where the others are, and what they are called. */
  back: { href: string; label: string }
}

/** What stands in place of something that could not be opened: an address that names nothing is no fault, and there is a way out. */
export function Missing({ error, what, back }: MissingProps) {
  const out = <BackLink href={back.href}>{back.label}</BackLink>
  if (!(error instanceof Refusal) || error.code !== 'not_found') {
    return (
      <Page title={`This ${what} cannot be shown`}>
        <ErrorNote error={error} />
        {out}
      </Page>
    )
  }
  return (
    <Page title={`There is no such ${what}`}>
      <EmptyState title="It may have been deleted, or the link is incomplete" action={out}>
        Search with Ctrl K to find it.
      </EmptyState>
    </Page>
  )
}
