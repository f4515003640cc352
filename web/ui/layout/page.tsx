import type { ReactNode } from 'react'
import { useTitle } from '../../title.ts'

interface PageProps {
  title: string
  about?: string
  /** How it stands, in one line. */
  standing?: ReactNode
  actions?: ReactNode
  children: ReactNode
  wide?: boolean
}

/** A screen with its heading; the heading is also the browser's title. */
export function Page({ title, about, standing, actions, children, wide = false }: PageProps) {
  useTitle(title)
  return (
    <div className="h-full overflow-y-auto">
      <div className={`mx-auto flex flex-col gap-5 px-4 py-5 sm:px-6 ${wide ? 'max-w-none' : 'max-w-5xl'}`}>
        <header className="flex flex-wrap items-start justify-between gap-3">
          <div className="flex min-w-0 flex-1 basis-80 flex-col gap-1">
            <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
            {about !== undefined && <p className="max-w-2xl text-soft">{about}</p>}
            {standing}
          </div>
          {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
        </header>
        {children}
      </div>
    </div>
  )
}
