import { dollars } from '../../domain/text/format.ts'
import type { AskedLimit, QuestionContent } from '../../domain/question.ts'
import type { Run } from '../../domain/run.ts'
import { questions } from '../../store/run-tables.ts'
import { tellEnd, waitingFor } from '../run/end.ts'
import type { ReachedLimit } from '../limits.ts'
import { recordEntries, entryHead, emitEvent, type RunContext } from '../run/context.ts'
import { newQuestion } from './proposals.ts'

/** The answer that lets a run go on with the raised limit, and the one that ends it. */
export const GO_ON = 'go_on'
export const STOP_HERE = 'stop'

/** Ends a run at its limit, or lets it wait for a person who may give it more room. What another run delegated does not ask: its parent will. */
export async function stopAtLimit(context: RunContext, reached: ReachedLimit): Promise<Run> {
  const { item } = context.run
  if (context.agent.asksForMore !== true || item.parent_run_id !== null) throw reached.problem
  const limit: AskedLimit = { name: reached.name, raised_to: raised(reached) }
  const question = { ...newQuestion(item, contentOf(item, reached, limit), null, context.agent.now()), limit }
  await recordEntries(context, {
    add: { ...entryHead(context), from: 'note', type: 'question', text: question.content.question, details: { question_id: question.id } },
    run: waitingFor(context, question.id),
    also: async (tx) => void (await questions.add(tx, question)),
  })
  emitEvent(context, { type: 'question', question_id: question.id, question: question.content })
  return tellEnd(context, context.reply?.text ?? '')
}

/** Twice what was allowed or used, whichever is more; a limit that cannot be kept can only be lifted. */
function raised({ used, limit }: ReachedLimit): number | null {
  return used === null ? null : Math.max(2 * limit, 2 * used, 1)
}

/** How a limit is put to a person, what to answer with, and what such a number is worth. */
interface LimitWords {
  count: (value: number) => string
  noun: string
  over: string
  said: string
  worth: number
}

// oxfmt-ignore
export const limitWords: Record<AskedLimit['name'], LimitWords> = {
  max_turns:         { count: grouped, noun: ' turns',   over: 'This request', said: 'a number of turns',    worth: 1 },
  max_tokens:        { count: grouped, noun: ' tokens',  over: 'This chat',    said: 'a number of tokens',   worth: 1 },
  max_cost_microusd: { count: dollars, noun: '',         over: 'This chat',    said: 'an amount in dollars', worth: 1_000_000 },
  max_wall_ms:       { count: seconds, noun: ' seconds', over: 'This request', said: 'a number of seconds',  worth: 1_000 },
}

function seconds(ms: number): string {
  return grouped(Math.round(ms / 1_000))
}

function grouped(value: number): string {
  return value.toLocaleString('en')
}

function contentOf({ model }: Run, { name, used, limit }: ReachedLimit, { raised_to }: AskedLimit): QuestionContent {
  const { count, noun, over, said } = limitWords[name]
  const question =
    used === null
      ? `The price of ${model} is unknown, so the limit of ${count(limit)}${noun} cannot be kept. Continue without it?`
      : `${over} has used ${count(used)} of ${count(limit)}${noun}. Continue?`
  return {
    type: 'question',
    question,
    context: `The next call to the model waits for you. In your own words, ${said} sets the limit to just that.`,
    severity: 'major',
    options: [
      {
        label: raised_to === null ? 'Continue without this limit' : `Continue, up to ${count(raised_to)}${noun}`,
        value: GO_ON,
        description: 'Raises the limit of this chat and continues where it stopped.',
      },
      { label: 'Stop here', value: STOP_HERE, description: 'Everything done so far is kept.' },
    ],
    default: null,
  }
}
