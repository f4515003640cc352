/** What a person typed as a list: the parts without their spaces, and none that is empty. */
export function splitList(text: string, separator = '\n'): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean)
}

/** Whether a text has all the words a person searches for, in any order. */
export function hasWords(text: string, words: string): boolean {
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))
}
