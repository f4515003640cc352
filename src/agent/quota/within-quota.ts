import { noUsage, type Entry } from '../../domain/entry.ts'
import { newId } from '../../domain/id.ts'
import { Problem } from '../../domain/problem.ts'
import { isNoModel } from '../../domain/role.ts'
import type { Quota } from '../../domain/quota/quota.ts'
import type { ModelRequest, ModelWatch, Provider } from '../../providers/provider.ts'
import type { Driver } from '../../store/driver.ts'
import { quotas } from '../../store/run-tables.ts'
import type { ChosenModel } from '../agent.ts'
import { limitOf } from './limit.ts'
import { endQuota, mayAsk, recordQuota } from './quotas.ts'

/** What may play a run: its own model, and those its role names for the time in which the limit of that one is reached. */
export interface Performers {
  driver: Driver
  model: string
  others: readonly string[]
  open: (model: string) => Promise<ChosenModel>
  /** The prompt was made for a model, or for an outside agent, and the other kind cannot take over within this run. */
  sameKind: boolean
}

interface Candidate {
  model: string
  account: string
  chosen: ChosenModel
}

/** A performer that waits while the limit of its account is reached, or lets the next one answer, and sends nobody into a limit that is known. */
export async function withinQuota(performers: Performers): Promise<ChosenModel> {
  const own = await candidate(performers, performers.model)
  let answering = own
  const ask: Provider['ask'] = async (request, signal, watch = {}) => {
    let asked = request
    for (;;) {
      const { next, trying } = await untilFree(performers, own, signal, watch)
      if (next.model !== answering.model)
        watch.onSwitch?.(
          next.model,
          next.model === own.model ? `the limit of ${own.account} has ended` : `the limit of ${own.account} is reached`,
        )
      answering = next
      try {
        const reply = await next.chosen.provider.ask({ ...asked, model: next.chosen.model }, signal, watch)
        if (trying) await endQuota(performers.driver, next.account)
        return reply
      } catch (error) {
        const limit = limitOf(error, await performers.driver.now())
        if (limit === null || (limit.empty && performers.others.length === 0)) throw error
        await recordQuota(performers.driver, next.account, limit)
        if (next.chosen.acts === true) asked = afterCutOff(request)
      }
    }
  }
  const now = () => answering.chosen
  const provider: Provider = {
    ...own.chosen.provider,
    learn: async () => now().provider.learn?.(now().model),
    contextWindow: () => now().provider.contextWindow(now().model),
    takes: () => now().provider.takes?.(now().model) ?? [],
    ...(own.chosen.provider.estimate && {
      estimate: async (request, heard) =>
        (await now().provider.estimate?.({ ...request, model: now().model }, heard)) ?? {
          ...noUsage,
          cost_microusd: null,
          estimated: true,
        },
    }),
    ask,
  }
  return { provider, model: own.chosen.model, acts: own.chosen.acts === true || performers.others.some(isOutside) }
}

/** The first that may be asked; while none may, it waits until the time of one comes or a person decides. */
async function untilFree(performers: Performers, own: Candidate, signal: AbortSignal, watch: ModelWatch) {
  const { driver } = performers
  let told: Quota | undefined
  for (;;) {
    if (signal.aborted) throw new Problem('stopped', 'the request to the model was stopped', { cause: signal.reason })
    const waking = appended(driver, signal) // before looking, so that nothing is missed in between
    const { found, waits } = await firstFree(performers, own)
    if (found !== null) {
      waking.forget()
      if (told !== undefined) await watch.onLimit?.(null)
      return found
    }
    const [soonest] = waits.toSorted((a, b) => a.resets_at.localeCompare(b.resets_at))
    if (soonest === undefined) throw new Problem('internal', `${own.model} waits for no limit`)
    const { id: account, message, resets_at, since } = soonest
    if (told?.resets_at !== resets_at) await watch.onLimit?.({ account, message, resets_at, since })
    told = soonest
    await waking.wait(Date.parse(resets_at) - (await driver.now()).getTime())
  }
}

async function firstFree(performers: Performers, own: Candidate) {
  const { driver } = performers
  const waits: Quota[] = []
  const instead = (await quotas.find(driver, own.account))?.item.instead ?? null
  for (const model of new Set([own.model, ...(instead === null ? [] : [instead]), ...performers.others])) {
    const next = model === own.model ? own : await candidate(performers, model)
    const answer = await mayAsk(driver, next.account)
    if (answer.go === 'wait') waits.push(answer.quota)
    else if (performers.sameKind && isOutside(model) !== isOutside(own.model)) throw elsewhere(own, model)
    else return { found: { next, trying: answer.go === 'try' }, waits }
  }
  return { found: null, waits }
}

function elsewhere({ account }: Candidate, model: string): Problem {
  return new Problem('quota', `the limit of ${account} is reached; ${model} takes over in a run of its own`)
}

async function candidate({ open }: Performers, model: string): Promise<Candidate> {
  const chosen = await open(model)
  return { model, account: accountOf(model, chosen.provider.name), chosen }
}

/** Whose limit counts: that of a provider, whatever its model; an outside agent and a script have one of their own. */
export function accountOf(model: string, provider: string): string {
  return isNoModel(model) ? model : provider
}

function isOutside(model: string): boolean {
  return model.startsWith('agent/')
}

/** An agent that works by itself may have done a part before its limit was reached; it is told so rather than sent again as if nothing had been. */
function afterCutOff(request: ModelRequest): ModelRequest {
  const last = request.entries.at(-1)
  if (last === undefined) return request
  const text =
    'An earlier attempt was cut off because the limit of your account was reached. It may have done a part of the work: look at what is there before you continue.'
  const note: Entry = { ...last, id: newId('entry', new Date(last.at)), from: 'note', type: 'error', text, details: { code: 'quota' } }
  return { ...request, entries: [...request.entries, note] }
}

/** No timer may be longer. */
const LONGEST_MS = 2 ** 31 - 1

/** Wakes up when anything was written, when a time is over, or when it is stopped. */
function appended(driver: Driver, signal: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const forgetAppend = driver.onAppend(resolve)
  const onAbort = () => resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  let timer: NodeJS.Timeout | undefined
  const forget = () => {
    forgetAppend()
    signal.removeEventListener('abort', onAbort)
    clearTimeout(timer)
  }
  const wait = async (ms: number) => {
    timer = setTimeout(resolve, Math.min(LONGEST_MS, Math.max(50, ms)))
    await promise
    forget()
  }
  return { wait, forget }
}
