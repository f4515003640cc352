import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../domain/problem.ts'
import type { QuotaWait } from '../../domain/quota/quota.ts'
import type { ModelRequest } from '../../providers/provider.ts'
import { scriptedProvider } from '../../providers/script/scripted.ts'
import type { StepInput } from '../../providers/script/script.ts'
import type { Driver } from '../../store/driver.ts'
import { quotas } from '../../store/run-tables.ts'
import { openTestStore } from '../../store/test-store.ts'
import { testAgent } from '../test-agent.ts'
import { quotaOperations } from './operations.ts'
import { withinQuota } from './within-quota.ts'

const request: ModelRequest = { model: 'any', system: '', entries: [], tools: [] }
const never = new AbortController().signal
const [, continueQuota, useInstead] = quotaOperations

/** Models by their names, each with a script and the name of its provider; `asked` counts what reached them. */
function cast(scripts: Record<string, readonly StepInput<ModelRequest>[]>) {
  const asked: string[] = []
  const providers = Object.fromEntries(Object.entries(scripts).map(([name, script]) => [name, scriptedProvider(script)]))
  const open = async (name: string) => {
    const provider = providers[name]
    if (provider === undefined) throw new Problem('bad_input', `no ${name}`)
    const ask: typeof provider.ask = (...given) => {
      asked.push(name)
      return provider.ask(...given)
    }
    return { provider: { ...provider, name: name.split('/')[0] ?? name, ask }, model: name }
  }
  return { asked, open }
}

/** Refuses until whoever asks gives up, so often, and then answers. */
const limit = (words: string, text: string, often = 1): StepInput<ModelRequest> => ({ fail: 429, times: 6 * often, said: words, text })

/** Waits for what another process would see of a wait. */
function waits() {
  const told: (QuotaWait | null)[] = []
  const { promise: first, resolve: wake } = Promise.withResolvers<void>()
  const onLimit = async (wait: QuotaWait | null) => {
    told.push(wait)
    wake()
  }
  return { told, first, onLimit }
}

test('[A161] a limit with a time is waited for, told with its time, and the same request goes on by itself', async (t) => {
  const driver = await openTestStore(t)
  const { open } = cast({ 'x/one': [limit("You've hit your usage limit. Try again in 1 seconds", 'done')] })
  const { told, onLimit } = waits()

  const performer = await withinQuota({ driver, model: 'x/one', others: [], open, sameKind: false })
  const reply = await performer.provider.ask(request, never, { onLimit })

  assert.equal(reply.text, 'done')
  assert.deepEqual([told.length, told[0]?.account, told.at(-1)], [2, 'x', null])
  assert.deepEqual(await quotas.items(driver), [])
})

test('[A162] nobody else is sent into a limit that is known, and once it ends one tries before the others go on', async (t) => {
  const driver = await openTestStore(t)
  const { asked, open } = cast({
    'x/one': [limit("You've hit your usage limit. Try again in 1 seconds", '')],
    'x/two': [{ text: 'two', repeat: true }],
  })
  const perform = async (model: string) => (await withinQuota({ driver, model, others: [], open, sameKind: false })).provider
  const stop = new AbortController()
  const first = (await perform('x/one')).ask(request, stop.signal).catch(() => 'stopped')
  while ((await quotas.items(driver)).length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  stop.abort()
  await first
  asked.length = 0

  const replies = await Promise.all([1, 2, 3, 4].map(async () => (await perform('x/two')).ask(request, never)))

  assert.deepEqual(
    replies.map(({ text }) => text),
    ['two', 'two', 'two', 'two'],
  )
  assert.equal(asked.length, 4)
})

test('[A163] the next model of the role answers while the limit of the first is reached, and the first again afterwards', async (t) => {
  const driver = await openTestStore(t)
  const { asked, open } = cast({
    'x/one': [limit('the usage limit has been reached, try again in 60 seconds', 'first again')],
    'y/two': [{ text: 'second', repeat: true }],
  })
  const switched: string[] = []
  const performer = await withinQuota({ driver, model: 'x/one', others: ['y/two'], open, sameKind: false })

  const before = await performer.provider.ask(request, never, { onSwitch: (model) => switched.push(model) })
  await continueQuota.run({ driver, needModel: async () => undefined }, { account: 'x' })
  const after = await performer.provider.ask(request, never, { onSwitch: (model) => switched.push(model) })

  assert.deepEqual([before.text, after.text], ['second', 'first again'])
  assert.deepEqual(switched, ['y/two', 'x/one'])
  assert.ok(asked.includes('y/two'))
})

test('[A164] a person lets a wait go on now, or another model answer meanwhile', async (t) => {
  const driver = await openTestStore(t)
  const { open } = cast({ 'x/one': [limit('slow down', 'one', 2)], 'y/two': [{ text: 'two', repeat: true }] })
  const context = { driver, needModel: async () => undefined }
  const { first, onLimit, told } = waits()
  const performer = await withinQuota({ driver, model: 'x/one', others: [], open, sameKind: false })

  const asked = performer.provider.ask(request, never, { onLimit })
  await first
  const unknown = await quotas.items(driver)
  await continueQuota.run(context, { account: 'x' }) // refused again
  while (told.length < 3) await new Promise((resolve) => setTimeout(resolve, 5))
  await useInstead.run(context, { account: 'x', model: 'y/two' })
  const reply = await asked

  assert.equal(unknown[0]?.guessed, true)
  assert.equal(reply.text, 'two')
  await assert.rejects(async () => useInstead.run(context, { account: 'z', model: 'y/two' }), { code: 'not_found' })
})

test('[A165] what waits for a limit is in the record of the run, and counts against no time limit', async (t) => {
  const driver = await openTestStore(t)
  const { open } = cast({ 'x/one': [limit("You've hit your usage limit. Try again in 2 seconds", 'done')] })
  const chosenModelFor = () => withinQuota({ driver, model: 'x/one', others: [], open, sameKind: false })
  const { play, events, thread } = await testAgent(t, [], { driver, chosenModelFor })

  const run = await play({ limits: { max_wall_ms: 1_500 } })

  assert.equal(run.status, 'completed')
  assert.ok(run.waited_ms >= 1_500, `${run.waited_ms}`)
  assert.equal(run.quota, null)
  const said = (await thread(run)).findLast((entry) => entry.from === 'assistant')
  assert.ok(said?.from === 'assistant' && said.took_ms < 1_500)
  assert.ok(events.some((event) => event.type === 'notice' && event.until !== undefined))
})

test('[A166] an empty account fails at once, unless another model takes over', async (t) => {
  const driver: Driver = await openTestStore(t)
  const { open } = cast({ 'x/one': [{ fail: 402, times: 9, said: 'insufficient_quota' }], 'y/two': [{ text: 'two' }] })
  const alone = await withinQuota({ driver, model: 'x/one', others: [], open, sameKind: false })
  const helped = await withinQuota({ driver, model: 'x/one', others: ['y/two'], open, sameKind: false })

  await assert.rejects(alone.provider.ask(request, never), { code: 'provider_refused' })
  const reply = await helped.provider.ask(request, never)

  assert.equal(reply.text, 'two')
})
