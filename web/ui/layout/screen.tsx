import { lazy, useEffect, useRef, type ComponentType } from 'react'
import { useConnected } from '../../live.ts'
import { Button } from '../form/button.tsx'
import { EmptyState } from '../status/notice.tsx'
import { Page } from './page.tsx'

/** A screen that is loaded when it is first gone to. One that cannot be had says so in its place: thrown, it would take the whole page with it. */
export function screen(load: () => Promise<{ default: ComponentType }>) {
  return lazy(() => load().catch(() => ({ default: NotLoaded })))
}

/** The server is away, and comes back with this page; or it was updated, and has another one. */
function NotLoaded() {
  const connected = useConnected()
  const away = useRef(false)
  useEffect(() => {
    if (connected && away.current) location.reload()
    away.current = !connected
  }, [connected])
  return (
    <Page title="This screen could not be loaded">
      <EmptyState title="Troupe is not responding, or was updated since you opened this page" action={<LoadAgain />}>
        The screen appears as soon as Troupe responds.
      </EmptyState>
    </Page>
  )
}

/** What is there when drawing the page failed: its own fault, so nothing can be said but that, and how to go on. */
export function Broken({ error }: { error: unknown }) {
  return (
    <div className="grid h-full place-items-center p-6">
      <EmptyState title="Something went wrong" action={<LoadAgain />}>
        Nothing you sent is lost. The error: {String(error)}
      </EmptyState>
    </div>
  )
}

/** The same page once more. */
export function LoadAgain() {
  return <Button onClick={() => location.reload()}>Reload</Button>
}
