import type * as z from 'zod'
import { BoardConfig } from '../../domain/board/board.ts'
import { Problem } from '../../domain/problem.ts'

/** `name=text` words; a whole number stays a number. */
export function pairsOf(words: readonly string[]): Record<string, string | number> {
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=')
      if (at < 1) throw new Problem('bad_input', `${JSON.stringify(word)} is no detail; write name=text`)
      const value = word.slice(at + 1)
      return [word.slice(0, at), /^\d+$/.test(value) ? Number(value) : value]
    }),
  )
}

/** One of a few words. */
export function oneOf<Word extends string>(option: string, words: readonly Word[], given: string): Word {
  const found = words.find((word) => word === given)
  if (found !== undefined) return found
  throw new Problem('bad_input', `${option} is ${JSON.stringify(given)}; it takes one of ${words.join(', ')}`)
}

/** A moment, as the store writes it. */
export function timeOf(option: string, given: string): string {
  const time = new Date(given)
  if (/^\d{4}-\d\d-\d\d/.test(given) && !Number.isNaN(time.getTime())) return time.toISOString()
  throw new Problem('bad_input', `${option} is ${JSON.stringify(given)}; it takes a time such as 2026-11-30T18:00:00Z`)
}

const literals = new Map<string, unknown>([
  ['none', null],
  ['true', true],
  ['false', false],
])

/** A word as a setting of a board takes it: `true` may be a command, and `none` a name. */
export function settingOf(name: string, word: string): unknown {
  const schema = new Map<string, z.ZodType>(Object.entries(BoardConfig.shape)).get(name)
  const meanings = [...(literals.has(word) ? [literals.get(word)] : []), word, Number(word)]
  const fits = meanings.findIndex((meaning) => schema?.safeParse(meaning).success)
  return fits === -1 ? word : meanings[fits]
}
