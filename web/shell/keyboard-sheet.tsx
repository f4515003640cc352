import { Dialog } from '../ui/overlay/dialog.tsx'
import { shortcuts } from '../ui/shortcuts.ts'
import { GO_KEY, places } from './places.ts'

interface Line {
  where: string
  keys: readonly string[]
  does: string
}

/** All keys of the page, by where they work. */
export function KeyboardSheet({ onClose }: { onClose: () => void }) {
  const groups = Map.groupBy(lines, ({ where }) => where)
  return (
    <Dialog title="Keyboard shortcuts" about="Single keys work while you are not typing." onClose={onClose}>
      {[...groups].map(([where, inside]) => (
        <section key={where} aria-label={where}>
          <h3 className="mb-1 text-xs font-semibold text-soft">{where}</h3>
          <dl className="grid grid-cols-[1fr_auto] gap-x-4">
            {inside.map(({ keys, does }) => (
              <div key={does} className="col-span-2 grid grid-cols-subgrid items-center border-b border-line py-1.5">
                <dt>{does}</dt>
                <dd className="flex justify-end gap-1">
                  {keys.map((key) => (
                    <kbd key={key} className="min-w-6 rounded-sm border border-line bg-raised px-1.5 text-center font-sans text-xs">
                      {key}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  )
}

const lines: readonly Line[] = [
  ...Object.values(shortcuts).map(({ where, does, keys, ...more }) => ({ where, does, keys: shown(keys, 'command' in more) })),
  ...places.flatMap(({ label, letter }) =>
    letter === undefined ? [] : [{ where: 'Go to a place: one key, then the other', does: label, keys: [GO_KEY, letter] }],
  ),
]

function shown(keys: readonly string[], command: boolean): readonly string[] {
  if (keys.length > 1) return [`${keys[0]} – ${keys.at(-1)}`]
  return command ? ['Ctrl', ...keys.map((key) => key.toUpperCase())] : keys
}
