import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'

/** The way back to where this came from. */
export function BackLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="inline-flex w-fit items-center gap-1 text-accent hover:underline">
      <ArrowLeft size={14} aria-hidden /> {children}
    </Link>
  )
}

/** The same on a phone, where a list and what is open of it take turns; the sign alone, at the head. */
export function BackArrow({ href, label }: { href: string; label: string }) {
  return (
    <Link href={href} aria-label={label} className="-ml-1 rounded p-2 text-soft sm:hidden">
      <ArrowLeft size={18} aria-hidden />
    </Link>
  )
}
