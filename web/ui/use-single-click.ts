import { useRef, type MouseEvent, type PointerEvent } from 'react'

/** A double click is over by then; whoever clicks again later means it. */
const SAME_CLICK_MS = 2_000

/**
 * Keeps the second click of a double click from the button that has just taken the place of the first: until the pointer moves,
 * or two seconds have passed, clicks in the row do nothing. Keys are not clicks and always work.
 */
export function useSingleClick() {
  const doneAt = useRef(0)
  return {
    /** To be called when a click has done its work and the row shows other buttons. */
    done: () => {
      doneAt.current = Date.now()
    },
    row: {
      onPointerMove: ({ movementX, movementY }: PointerEvent) => {
        if (movementX !== 0 || movementY !== 0) doneAt.current = 0
      },
      onClickCapture: (event: MouseEvent) => {
        if (event.detail > 0 && Date.now() - doneAt.current < SAME_CLICK_MS) event.stopPropagation()
      },
    },
  }
}
