import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

export interface Tab {
  key: string
  label: ReactNode
  content: ReactNode
}

/** Panels of which one shows; arrow keys move between the tabs. */
export function Tabs({ tabs }: { tabs: readonly Tab[] }) {
  return (
    <Base.Root defaultValue={tabs[0]?.key ?? null} className="flex flex-col gap-4">
      <Base.List className="flex gap-1 overflow-x-auto border-b border-line">
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
