import * as z from 'zod'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { Quota } from '../../domain/quota/quota.ts'
import { clockText } from '../../domain/text/format.ts'
import { runFlow, type Run } from '../../domain/run.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { quotas, runs } from '../../store/run-tables.ts'

/** Where limits are looked up and changed. */
export interface QuotasContext {
  driver: Driver
  /** Refuses a model that nobody could ask. */
  needModel: (model: string) => Promise<void>
}

const Account = z.string().min(1).describe('whose limit, as it is listed: a provider, or agent/NAME')

/** A limit, and the runs that wait for it. */
const ReachedQuota = Quota.omit({ trying: true }).extend({ runs: z.array(z.string()) })

const listQuotas = defineOperation({
  name: 'quota.list',
  summary: 'List the limits of providers and outside agents that are reached, until when, and who waits',
  by: ['person'],
  effect: 'read',
  command: 'quotas list',
  input: z.strictObject({}),
  output: z.object({ quotas: z.array(ReachedQuota) }),
  example: {},
  tell: ({ quotas: reached }) => (reached.length === 0 ? 'No limit is reached.' : reached.map(lineOf).join('\n')),
  run: async ({ driver }: QuotasContext) => {
    const waiting = (await runs.items(driver, { where: { status: runFlow.initial } })).filter(({ quota }) => quota !== null)
    return { quotas: (await quotas.items(driver)).map((quota) => withRuns(quota, waiting)) }
  },
})

const continueQuota = defineOperation({
  name: 'quota.continue',
  summary: 'Go on now: ask a provider or outside agent again before its limit ends',
  by: ['person'],
  effect: 'change',
  command: 'quotas continue <account>',
  input: z.strictObject({ account: Account }),
  output: Quota,
  example: { account: 'anthropic' },
  tell: ({ id }) => `${id} is asked again now`,
  run: async ({ driver }: QuotasContext, { account }) =>
    change(driver, account, async () => ({ resets_at: (await driver.now()).toISOString(), trying: false })),
})

const useInstead = defineOperation({
  name: 'quota.use',
  summary: 'Use another model or outside agent until a limit ends',
  by: ['person'],
  effect: 'change',
  command: 'quotas use <account> <model>',
  input: z.strictObject({ account: Account, model: z.string().min(1).describe('the model, or agent/NAME, that answers meanwhile') }),
  output: Quota,
  example: { account: 'agent/claude', model: 'openai/gpt-5' },
  tell: ({ id, instead }) => `${instead} answers in place of ${id} until ${id} is free again`,
  run: async ({ driver, needModel }: QuotasContext, { account, model }) => {
    await needModel(model)
    return change(driver, account, async () => ({ instead: model }))
  },
})

/** What can be done about the limits of providers and outside agents. */
export const quotaOperations = [listQuotas, continueQuota, useInstead] as const

async function change(driver: Driver, account: string, to: () => Promise<Partial<Quota>>): Promise<Quota> {
  const changed = await to()
  return driver.transaction(async (tx) => {
    const was: Stored<Quota> | null = await quotas.find(tx, account)
    if (was === null) {
      const known = (await quotas.items(tx)).map(({ id }) => id).join(', ') || 'none'
      throw new Problem('not_found', `no limit of ${account} is reached; reached are: ${known}`)
    }
    return (await quotas.replace(tx, was, { ...was.item, ...changed })).item
  })
}

function withRuns({ trying: _trying, ...quota }: Quota, waiting: readonly Run[]) {
  return { ...quota, runs: waiting.filter((run) => run.quota?.account === quota.id).map(({ id }) => id) }
}

function lineOf({ id, message, resets_at, guessed, instead, runs: waiting }: z.infer<typeof ReachedQuota>): string {
  const until = `${guessed ? 'tried again at' : 'until'} ${clockText(resets_at)}`
  const who = waiting.length === 0 ? '' : `, ${waiting.length} waiting`
  return `${id}  ${until}${who}${instead === null ? '' : `, ${instead} answers meanwhile`}: ${message}`
}
