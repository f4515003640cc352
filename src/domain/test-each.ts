/** What a list that was parsed from JSON holds, as far as is known of it. */
type Anything = Record<string, unknown>

/** One field of each, so that a test compares a whole list in a line. */
export function each<Item = Anything>(items: readonly Item[], field: keyof Item): unknown[] {
  return items.map((item) => item[field])
}

/** Some fields of each, as the rows of a table. */
export function rowsOf<Item = Anything>(items: readonly Item[], ...fields: (keyof Item)[]): unknown[][] {
  return items.map((item) => fields.map((field) => item[field]))
}
