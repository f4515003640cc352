import { useId, useLayoutEffect } from 'react'

interface ActionHere {
  label: string
  run: () => void
}

const offered = new Map<string, readonly ActionHere[]>()

/** Offers what can be done on this screen to the palette while it is in sight: a screen that waits for the next one to load is hidden, and only layout effects end then. */
export function useActionsHere(actions: readonly ActionHere[]): void {
  const id = useId()
  useLayoutEffect(() => {
    offered.set(id, actions)
    return () => void offered.delete(id)
  })
}

/** What is on offer at this moment. */
export function actionsHere(): readonly ActionHere[] {
  return [...offered.values()].flat()
}

/** Does what has this label, if it is still on offer: a board may have been paused while the palette was open. */
export function runActionHere(label: string): void {
  actionsHere()
    .find((action) => action.label === label)
    ?.run()
}
