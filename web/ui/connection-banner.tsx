import { Unplug } from 'lucide-react'
import { useConnected } from '../live.ts'

/** Says that the server is away, so that nobody takes a still picture for the present. */
export function ConnectionBanner() {
  if (useConnected()) return null
  return (
    <p role="status" className="flex items-center gap-2 border-b border-line bg-danger-wash px-4 py-1.5 text-sm text-danger">
      <Unplug size={16} aria-hidden />
      Troupe does not answer. What you see may be old; this page connects again by itself.
    </p>
  )
}
