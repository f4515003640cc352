/** Where a model may begin to write a plan or a question as JSON. */
const BEGINS_JSON = /(^|\n)\s*(```(json5?|jsonc)?\s*\n?\s*)?\{/

/**
 * What a model says, passed on as it comes, but for what may be a plan or a question: that is shown as what it is, not as its JSON.
 * It is kept until `flush` says that it was only text, or `drop` that it was handed over.
 */
export function heldText(pass: (text: string) => void) {
  let held = ''
  let holds = false
  return {
    add(text: string): void {
      held += text
      if (holds) return
      const at = BEGINS_JSON.exec(held)?.index
      holds = at !== undefined
      // A fence may have come in part: the last line waits until it is whole.
      const free = at ?? held.lastIndexOf('\n') + 1
      const sure = at === undefined && !/^\s*(`{0,3}\w*|\s*)$/.test(held.slice(free)) ? held.length : free
      if (sure > 0) pass(held.slice(0, sure))
      held = held.slice(sure)
    },
    flush(): void {
      if (held !== '') pass(held)
      held = ''
      holds = false
    },
    drop(): void {
      held = ''
      holds = false
    },
  }
}
