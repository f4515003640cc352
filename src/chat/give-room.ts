import { GO_ON, limitWords, STOP_HERE } from '../agent/ask-for-more.ts'
import { Problem } from '../domain/problem.ts'
import type { AskedLimit, Question } from '../domain/question.ts'
import type { Driver } from '../store/driver.ts'
import { chats } from '../store/tables.ts'

/** Whether the answer to a reached limit is to leave it at that. */
export function endsHere({ limit, answer }: Question): boolean {
  return limit !== undefined && answer?.value === STOP_HERE
}

/** Gives a chat the room its person granted: the limit that was proposed, or the number they wrote. */
export async function giveRoom(tx: Driver, chatId: string, question: Question): Promise<void> {
  const { limit } = question
  if (limit === undefined || endsHere(question)) return
  const granted = grantedBy(question, limit)
  const was = await chats.get(tx, chatId)
  const { limits } = was.item.config
  const now = limits[limit.name]
  // Someone may have raised it further in the settings meanwhile; agreeing to the proposal must not lower that.
  const proposed = granted.own ? granted.to : now === null || granted.to === null ? null : Math.max(now, granted.to)
  await chats.replace(tx, was, { ...was.item, config: { ...was.item.config, limits: { ...limits, [limit.name]: proposed } } })
}

function grantedBy({ answer }: Question, { name, raised_to }: AskedLimit): { to: number | null; own: boolean } {
  const text = answer?.text ?? ''
  // A number and what it counts, no more: in a sentence it may be about anything.
  const said = /^\s*\$?\s*(\d[\d,_]*(?:\.\d+)?)\s*\p{L}*\s*$/u.exec(text)?.[1]?.replaceAll(/[,_]/g, '')
  const own = Math.round(Number(said) * limitWords[name].worth)
  if (own > 0 && Number.isSafeInteger(own)) return { to: own, own: true }
  if (answer?.value === GO_ON) return { to: raised_to, own: false }
  throw new Problem('bad_input', `"${text}" is no limit; give ${limitWords[name].said}, or choose an option`)
}
