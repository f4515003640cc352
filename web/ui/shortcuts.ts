interface Shortcut {
  where: string
  /** With Ctrl, or Cmd on a Mac; it also works while somebody types. */
  command?: true
  keys: readonly string[]
  does: string
}

/** Every key of the page, except those that go to a place: the handlers ask this table, and the keyboard sheet lists it. */
export const shortcuts = {
  search: { where: 'Anywhere', command: true, keys: ['k'], does: 'Search and commands' },
  show_keys: { where: 'Anywhere', keys: ['?'], does: 'Show these keys' },
  switch_role: { where: 'In a chat', command: true, keys: ['.'], does: 'Switch role' },
  save_workflow: { where: 'In the workflow editor', command: true, keys: ['s'], does: 'Save' },
  next_need: { where: 'In Needs you', keys: ['j'], does: 'Next' },
  previous_need: { where: 'In Needs you', keys: ['k'], does: 'Previous' },
  open_need: { where: 'In Needs you', keys: ['Enter'], does: 'Unfold or fold' },
  go_to_need: { where: 'In Needs you', keys: ['e'], does: 'Open where it belongs' },
  answer_need: { where: 'In Needs you', keys: ['1', '2', '3', '4', '5', '6', '7', '8', '9'], does: 'Press that answer' },
} as const satisfies Record<string, Shortcut>

export type ShortcutName = keyof typeof shortcuts

/** Whether this is the key of a shortcut, pressed where it means that. */
export function isShortcut(name: ShortcutName, event: KeyboardEvent): boolean {
  const { keys, command }: Shortcut = shortcuts[name]
  if (command) return (event.ctrlKey || event.metaKey) && keys.includes(event.key.toLowerCase())
  return keys.includes(event.key) && isForPage(event)
}

/** Whether a plain key is meant for the page, and not for a field, a list that finds by letters, or a dialog over it. */
export function isForPage(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false
  return (
    !isTyping(event.target) &&
    document.querySelector('[role=dialog]:not([data-beside]), [role=alertdialog], [role=menu], [role=listbox]') === null
  )
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
