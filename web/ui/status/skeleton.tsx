/** A place that something will fill: its shape, before it is there. Shown only after a blink, so that what is fast does not flash. */
function Bone({ className = '' }: { className?: string }) {
  return <span className={`block rounded-md bg-line/70 ${className}`} />
}

/** Rows of a list on their way; the label is read aloud. */
export function SkeletonRows({ rows = 6, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div role="status" className="flex animate-[appear_160ms_200ms_both] flex-col gap-4 p-4">
      <span className="sr-only">{label}…</span>
      {Array.from({ length: rows }, (_, at) => (
        <span key={at} aria-hidden className="flex animate-pulse items-center gap-3">
          <Bone className="size-5" />
          <span className="flex flex-1 flex-col gap-2">
            <Bone className={`h-3 ${widths[at % widths.length]}`} />
            <Bone className="h-2.5 w-1/4" />
          </span>
        </span>
      ))}
    </div>
  )
}

const widths = ['w-3/4', 'w-1/2', 'w-2/3', 'w-5/6'] as const

/** A screen on its way: its header and some lines of it. */
export function SkeletonPage({ label = 'Loading' }: { label?: string }) {
  return (
    <div role="status" className="animate-[appear_160ms_200ms_both]">
      <span className="sr-only">{label}…</span>
      <div aria-hidden className="animate-pulse">
        <div className="flex h-header items-center border-b border-line px-4">
          <Bone className="h-3.5 w-48" />
        </div>
        <div className="mx-auto flex max-w-prose flex-col gap-4 px-6 py-8">
          {['w-2/3', 'w-full', 'w-5/6', 'w-full', 'w-1/2'].map((width, at) => (
            <Bone key={at} className={`h-3 ${width}`} />
          ))}
        </div>
      </div>
    </div>
  )
}
