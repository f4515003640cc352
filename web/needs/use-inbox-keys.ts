import type { Need } from '../../src/domain/need.ts'
import { isShortcut } from '../ui/shortcuts.ts'
import { useKeys } from '../ui/use-keys.ts'

interface Acts {
  onChoose: (id: string) => void
  onToggle: (id: string) => void
  onGo: (link: string) => void
}

/** Goes through what waits without a mouse. Who types or has a button under the focus means that instead. */
export function useInboxKeys(needs: readonly Need[], chosen: string | null, { onChoose, onToggle, onGo }: Acts): void {
  useKeys((event) => {
    const at = needs.findIndex(({ id }) => id === chosen)
    const need = needs[at]
    const next = isShortcut('next_need', event)
    if (next || isShortcut('previous_need', event)) {
      const other = needs[next ? at + 1 : Math.max(0, at - 1)]
      if (other) onChoose(other.id)
    } else if (need === undefined) return
    else if (isShortcut('open_need', event) && !isControl(event.target)) onToggle(need.id)
    else if (isShortcut('go_to_need', event)) onGo(need.link)
    else if (isShortcut('answer_need', event)) press(need.id, Number(event.key))
    else return
    event.preventDefault()
  })
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(BUTTON|A|SUMMARY)$/.test(target.tagName)
}

/** Presses the button of what is open whose number it is: only what can be seen is answered. */
function press(id: string, number: number): void {
  const buttons = document.querySelectorAll<HTMLButtonElement>(`[data-need="${CSS.escape(id)}"] [data-answer] [data-option]`)
  buttons[number - 1]?.click()
}
