import type { Driver } from './driver.ts'

/** A record with all the words that were looked for: in what it is called, or in what is said in it. */
export interface FoundText {
  topic: string
  id: string
  name: string
  body: string
}

/** As many words count; a person who pastes a page means its beginning. */
const WORDS = 10

/** What a search looks for: words without signs, each meant as the beginning of one. */
export function wordsIn(text: string): string[] {
  return (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, WORDS)
}

/** The newest records that have all the words in their names, or in what is said in them. */
export async function findTexts(driver: Driver, where: 'name' | 'body', words: readonly string[], limit: number): Promise<FoundText[]> {
  if (words.length === 0) return []
  if (driver.kind === 'postgres') {
    const wanted = words.map((word) => `(${casesOf(word).join(' | ')})`).join(' & ')
    return driver.query<FoundText>(
      `select topic, id, name, body from search_texts
       where ${where === 'name' ? 'names' : 'words'} @@ to_tsquery('simple', $1) order by number desc limit $2`,
      [wanted, limit],
    )
  }
  const wanted = `{${where}} : (${words.map((word) => `"${word}"*`).join(' AND ')})`
  return driver.query<FoundText>(
    `select t.topic, t.id, t.name, t.body from search_index join search_texts t on t.number = search_index.rowid
     where search_index match $1 order by search_index.rowid desc limit $2`,
    [wanted, limit],
  )
}

/** A server whose language is C folds the case of English letters alone. */
function casesOf(word: string): string[] {
  const [lower, upper] = [word.toLowerCase(), word.toUpperCase()]
  if (/^[a-z0-9]*$/.test(lower)) return [`${lower}:*`]
  return [...new Set([lower, upper.slice(0, 1) + lower.slice(1), upper])].map((spelled) => `${spelled}:*`)
}
