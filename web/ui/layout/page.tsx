import type { ReactNode } from 'react'
import { useTitle } from '../../title.ts'
import { Header } from './header.tsx'
import { useKeptScroll } from './use-kept-scroll.ts'

interface PageProps {
  title: string
  about?: string
  /** The way back, left of the title. */
  before?: ReactNode
  /** How it stands, in one line. */
  standing?: ReactNode
  actions?: ReactNode
  children: ReactNode
  wide?: boolean
}

/** A screen with its heading; the heading is also the browser's title. Whoever comes back finds it where they left it. */
export function Page({ title, about, before, standing, actions, children, wide = false }: PageProps) {
  useTitle(title)
  const body = useKeptScroll<HTMLDivElement>()
  return (
    <div className="flex h-full flex-col">
      <Header title={title} before={before} beside={standing} actions={actions} />
      <div ref={body} className="min-h-0 flex-1 overflow-y-auto">
        <div className={`mx-auto flex flex-col gap-5 px-4 py-5 sm:px-6 ${wide ? 'max-w-none' : 'max-w-5xl'}`}>
          {about !== undefined && <p className="max-w-prose text-soft">{about}</p>}
          {children}
        </div>
      </div>
    </div>
  )
}
