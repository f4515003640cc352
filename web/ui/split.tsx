import type { ReactNode } from 'react'

/** A list on the left and what is open of it on the right; on a phone, one or the other. */
export function Split({ list, opened, wide = false, children }: { list: ReactNode; opened: boolean; wide?: boolean; children: ReactNode }) {
  const width = wide ? 'sm:w-72 lg:w-80' : 'sm:w-64 lg:w-72'
  return (
    <div className="flex h-full">
      <aside
        className={`w-full shrink-0 border-line bg-surface sm:block sm:border-r ${width} ${opened ? 'max-sm:hidden' : 'max-sm:block'}`}
      >
        {list}
      </aside>
      <div className={`min-w-0 flex-1 ${opened ? '' : 'max-sm:hidden'}`}>{children}</div>
    </div>
  )
}
