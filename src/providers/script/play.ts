import { Problem } from '../../domain/problem.ts'
import { misfit, ScriptStep, type Script, type ScriptView, type StepInput } from './script.ts'

/** The step a request gets, and whether it fails this time. `giveBack` returns a step that was never delivered. */
export interface ScriptedStep {
  step: ScriptStep
  number: number
  fails: boolean
  giveBack(): void
}

/** Plays a script to the one who asks: the same rules in process and behind a model server. */
export function playScript<Request>(replies: readonly StepInput<Request>[], follow: Script['follow']) {
  const used = new Set<number>()
  const failures = new Map<number, number>()

  return {
    async next(view: ScriptView, request: Request): Promise<ScriptedStep> {
      const number = pick(replies, follow, view, used)
      used.add(number)
      const step = await stepAt(replies, number, request)
      const wrong = misfit(step.expect, view)
      if (wrong !== null) throw new Problem('provider_refused', `the script expected another request at step ${number + 1}: ${wrong}`)
      const failed = failures.get(number) ?? 0
      const fails = step.fail !== undefined && failed < step.times
      if (fails) failures.set(number, failed + 1)
      const giveBack = () => void used.delete(number)
      if (fails || step.repeat) giveBack()
      return { step, number, fails, giveBack }
    },
  }
}

function pick<Request>(
  replies: readonly StepInput<Request>[],
  follow: Script['follow'],
  view: ScriptView,
  used: ReadonlySet<number>,
): number {
  const fitting = [...replies.keys()].filter((number) => fits(replies[number], view))
  const last = fitting.at(-1)
  const picked = follow === 'thread' ? (fitting[view.asked] ?? repeating(replies, last)) : fitting.find((number) => !used.has(number))
  if (picked !== undefined) return picked
  const why = fitting.length === 0 ? 'no step fits this request' : `all ${fitting.length} that fit this request are played`
  throw new Problem('provider_refused', `the script has no reply left: ${why}; add a step, or mark the last one repeat`, {
    details: { system: view.system.slice(0, 200), user: view.user.slice(0, 200), asked: view.asked },
  })
}

function fits(reply: StepInput<never> | undefined, view: ScriptView): boolean {
  return reply !== undefined && (typeof reply === 'function' || misfit(reply.when, view) === null)
}

function repeating<Request>(replies: readonly StepInput<Request>[], last: number | undefined): number | undefined {
  const reply = last === undefined ? undefined : replies[last]
  return typeof reply === 'object' && reply.repeat === true ? last : undefined
}

async function stepAt<Request>(replies: readonly StepInput<Request>[], number: number, request: Request): Promise<ScriptStep> {
  const reply = replies[number]
  return ScriptStep.parse(typeof reply === 'function' ? await reply(request) : reply)
}
