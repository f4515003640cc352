import type { ReactNode } from 'react'
import { Link, useLocation, useSearch } from 'wouter'

/** The name in an address of the run whose trace is open beside a screen. */
export const RUN_PARAM = 'run'

/** Opens the trace of a run beside the screen a person is at. */
export function RunLink({ run, children, className }: { run: string; children: ReactNode; className?: string }) {
  return (
    <Link href={useRunAddress()(run)} className={className ?? 'text-accent underline'}>
      {children}
    </Link>
  )
}

/** The address of this screen with the trace of a run open beside it, or with none. */
export function useRunAddress(): (run: string | null) => string {
  const [path] = useLocation()
  const search = useSearch()
  return (run) => {
    const wanted = new URLSearchParams(search)
    wanted.delete(RUN_PARAM)
    if (run !== null) wanted.set(RUN_PARAM, run)
    return wanted.size === 0 ? path : `${path}?${wanted}`
  }
}
