import { CircleAlert, Inbox, LoaderCircle } from 'lucide-react'
import type { ReactNode } from 'react'
import { Refusal } from '../../api.ts'

interface EmptyStateProps {
  title: string
  children?: ReactNode
  action?: ReactNode
  icon?: ReactNode
}

/** What stands where there is nothing yet: says what belongs here and how to get it. */
export function EmptyState({ title, children, action, icon }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-xl border border-dashed border-line px-6 py-10 text-center">
      <span className="text-soft">{icon ?? <Inbox size={28} aria-hidden />}</span>
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="max-w-md text-balance text-soft">{children}</div>}
      {action !== undefined && <div className="mt-2">{action}</div>}
    </div>
  )
}

/** The same beside what is open, where there is little room. */
export function EmptyList({ children }: { children: ReactNode }) {
  return <p className="px-4 py-6 text-center text-balance text-soft">{children}</p>
}

/** An error as the server put it, and what you can do about it here. */
export function ErrorNote({ error }: { error: unknown }) {
  const message = error instanceof Error ? error.message : String(error)
  const verbs = error instanceof Refusal ? error.next.map(({ operation }) => operation.replace(/^\w+\./, '').replaceAll('_', ' ')) : []
  return (
    <div role="alert" className="flex items-start gap-2 rounded-lg border border-danger/40 bg-danger-wash px-3 py-2 text-danger">
      <CircleAlert size={16} className="mt-0.5 shrink-0" aria-hidden />
      <span className="min-w-0 flex-1">
        {message}
        {verbs.length > 0 && <span className="mt-0.5 block text-soft">You can: {verbs.join(', ')}</span>}
      </span>
    </div>
  )
}

/** Shown while something loads, if it takes longer than a blink; the label is read aloud. */
export function Loading({ label = 'Loading' }: { label?: string }) {
  return (
    <p role="status" className="flex animate-[appear_150ms_200ms_both] items-center gap-2 p-4 text-soft">
      <LoaderCircle size={16} className="animate-spin" aria-hidden />
      {label}…
    </p>
  )
}
