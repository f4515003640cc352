import { Tabs as Base } from '@base-ui/react/tabs'
import { useEffect, useRef, type ReactNode } from 'react'
import { useSearchParams } from 'wouter'

export interface Tab {
  key: string
  label: ReactNode
  content: ReactNode
}

/** Panels of which one shows, named by the address; arrow keys move between the tabs. */
export function Tabs({ tabs }: { tabs: readonly Tab[] }) {
  const [search, setSearch] = useSearchParams()
  const shown = (tabs.find(({ key }) => key === search.get('tab')) ?? tabs[0])?.key ?? null
  const show = (key: string) =>
    setSearch((now) => {
      now.set('tab', key)
      return now
    })
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [shown])
  return (
    <Base.Root value={shown} onValueChange={show} className="flex flex-col gap-4">
      <Base.List ref={list} className="flex gap-1 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.key}
            value={tab.key}
            className="-mb-px border-b-2 border-transparent px-3 py-2 text-sm font-medium whitespace-nowrap text-soft hover:text-ink data-active:border-accent data-active:text-ink"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.key} value={tab.key}>
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
