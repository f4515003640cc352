import type { Need } from '../../src/domain/need.ts'
import { useKeys } from '../ui/use-keys.ts'

interface Acts {
  onChoose: (id: string) => void
  onToggle: (id: string) => void
  onGo: (link: string) => void
}

/** Goes through what waits without a mouse. Who types or has a button under the focus means that instead. */
export function useInboxKeys(needs: readonly Need[], chosen: string | null, { onChoose, onToggle, onGo }: Acts): void {
  useKeys((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    const at = needs.findIndex(({ id }) => id === chosen)
    const need = needs[at]
    if (event.key === 'j' || event.key === 'k') {
      const next = needs[event.key === 'j' ? at + 1 : Math.max(0, at - 1)]
      if (next) onChoose(next.id)
    } else if (need !== undefined && event.key === 'Enter' && !isControl(event.target)) onToggle(need.id)
    else if (need !== undefined && event.key === 'e') onGo(need.link)
    else if (need !== undefined && /^[1-9]$/.test(event.key)) press(need.id, Number(event.key))
    else return
    event.preventDefault()
  })
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && /^(BUTTON|A|SUMMARY)$/.test(target.tagName)
}

/** Presses the button of what is open whose number it is: only what can be seen is answered. */
function press(id: string, number: number): void {
  const buttons = document.querySelectorAll<HTMLButtonElement>(`[data-need="${CSS.escape(id)}"] [data-answer] [data-option]`)
  buttons[number - 1]?.click()
}
