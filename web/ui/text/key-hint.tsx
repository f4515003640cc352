/** Keys that do the same as what is beside them, such as `Ctrl K`; parts are pressed together. */
export function KeyHint({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-0.5" aria-hidden>
      {keys.split(' ').map((key) => (
        <kbd key={key} className="min-w-4 rounded-sm border border-line bg-surface px-1 text-center font-sans text-xs text-soft">
          {key}
        </kbd>
      ))}
    </span>
  )
}
