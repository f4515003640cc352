import { lazy, Suspense, type ComponentType } from 'react'
import { RunLink } from './run-link.tsx'

const RunTrace = lazy<ComponentType<{ runId: string; className?: string }>>(() =>
  import('./run-trace.tsx').then(
    ({ RunTrace: found }) => ({ default: found }),
    () => ({ default: () => null }),
  ),
)

/** An agent at its work, in a box of its own in the middle of a screen. */
export function LiveTrace({ run }: { run: string }) {
  return (
    <section aria-label="The agent at work" className="overflow-hidden rounded-lg border border-line bg-surface">
      <header className="flex items-center justify-between border-b border-line px-4 py-1.5 text-xs">
        <span className="font-medium text-soft">What the agent does</span>
        <RunLink run={run}>Open beside</RunLink>
      </header>
      <Suspense>
        <RunTrace runId={run} className="max-h-96 pt-2" />
      </Suspense>
    </section>
  )
}
