import { Plus } from 'lucide-react'
import { Link } from 'wouter'

/** The way to the form for a new one, at the head of a list. */
export function NewLink({ href, children }: { href: string; children: string }) {
  return (
    <Link
      href={href}
      className="flex h-9 items-center justify-center gap-1.5 rounded-md bg-accent px-3 text-sm font-medium text-accent-ink hover:opacity-90 sm:flex-1"
    >
      <Plus size={16} aria-hidden />
      {children}
    </Link>
  )
}
