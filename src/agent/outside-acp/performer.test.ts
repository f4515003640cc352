import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { resumeRun } from '../run/resume.ts'
import { answerQuestion } from '../person/answer.ts'
import { playRun } from '../loop.ts'
import { questions } from '../../store/run-tables.ts'
import { withAcpAgent } from './test-outside.ts'
import { processesWith } from '../../sandbox/test-processes.ts'
import { outcomesOf } from '../test-agent.ts'

const leave = (kind: string) => ({ leave: { kind, title: kind } })
const never = new AbortController().signal

test('[E20] what an outside agent says, thinks, does and spends is in the thread, as for one of our own agents', async (t) => {
  const usage = { used: 1_200, size: 200_000, cost: { amount: 0.25, currency: 'USD' } }
  const { play, events, thread, workspace } = await withAcpAgent(t, {
    prompts: [[{ think: 'Hm.' }, { say: 'I write it.' }, { write: { path: 'new.txt', text: 'new\n' } }, { usage }, { say: 'Done.' }]],
  })

  const run = await play()
  const said = await thread(run)

  assert.equal(await readFile(join(workspace, 'new.txt'), 'utf8'), 'new\n')
  assert.deepEqual(outcomesOf(said), ['user', 'assistant', 'outsider.edit ok', 'assistant'])
  const [, first, call, last] = said
  assert.deepEqual([first?.from === 'assistant' && first.text, last?.from === 'assistant' && last.text], ['I write it.', 'Done.'])
  assert.match(String(call?.from === 'tool' && call.details['diff']), /\+new/)
  assert.deepEqual([run.status, run.usage.cost_microusd, run.context_window], ['completed', 250_000, 200_000])
  assert.ok(events.some((event) => event.type === 'thought' && event.text === 'Hm.'))
})

test('[E21] the sandbox of the role holds it, whatever it says: what a planner or tester writes is not there', async (t) => {
  const behaviour = { prompts: [[{ write: { path: 'new.txt', text: 'new\n' } }, { pid: true }]] }
  const planner = await withAcpAgent(t, behaviour)
  const tester = await withAcpAgent(t, behaviour)

  const planned = await planner.play({ agent_role: 'planner' })
  const tested = await tester.play({ agent_role: 'tester' })

  assert.deepEqual([planned.status, tested.status], ['completed', 'completed'])
  assert.deepEqual([existsSync(join(planner.workspace, 'new.txt')), existsSync(join(tester.workspace, 'new.txt'))], [false, false])
  assert.ok(outcomesOf(await planner.thread(planned)).includes('outsider.edit error'))
})

test('[E22] its mode follows the role, and what it changes by itself gives it no right', async (t) => {
  const behaviour = { prompts: [[{ setMode: 'yolo' }, { write: { path: 'new.txt', text: 'new\n' } }, { pid: true }]] }
  const actor = await withAcpAgent(t, behaviour)
  const planner = await withAcpAgent(t, behaviour)

  const texts = await Promise.all(
    [actor.play(), planner.play({ agent_role: 'planner' })].map(async (playing, at) => lastText(at === 0 ? actor : planner, await playing)),
  )

  assert.match(texts[0] ?? '', /mode acceptEdits/)
  assert.match(texts[1] ?? '', /mode plan/)
  assert.equal(existsSync(join(planner.workspace, 'new.txt')), false)
})

test('[E23] what the role lacks is refused at once, the rest is allowed once and never always', async (t) => {
  const prompts = [[leave('edit'), leave('execute'), leave('switch_mode'), leave('read')]]
  const actor = await withAcpAgent(t, { prompts })
  const planner = await withAcpAgent(t, { prompts })
  const always = await withAcpAgent(t, {
    prompts: [[leave('edit')]],
    options: [{ optionId: 'always', name: 'Always', kind: 'allow_always' }],
  })

  const acted = await lastText(actor, await actor.play())
  const planned = await lastText(planner, await planner.play({ agent_role: 'planner' }))
  const offeredAlways = await lastText(always, await always.play())

  assert.equal(acted, 'chose once;chose once;chose no;chose once;')
  assert.equal(planned, 'chose no;chose no;chose no;chose once;')
  assert.equal(offeredAlways, 'chose cancelled;')
})

test('[E24] what the user wants asked becomes a card; the prompt waits for the answer in the same session', async (t) => {
  for (const [value, gone] of [
    ['allow', true],
    ['refuse', false],
  ] as const) {
    const scene = await withAcpAgent(t, { prompts: [[{ remove: 'old.txt' }]] })
    await writeFile(join(scene.workspace, 'old.txt'), 'old')

    const waiting = await scene.play()
    const [question] = await questions.items(scene.agent.driver)
    assert.equal(existsSync(join(scene.workspace, 'old.txt')), true)
    await answerQuestion(scene.agent.driver, question?.id ?? '', { value }, 'user', new Date())
    const run = await playRun(scene.agent, await resumeRun(scene.agent, waiting.id), never)

    assert.deepEqual([waiting.status, run.status, existsSync(join(scene.workspace, 'old.txt'))], ['waiting', 'completed', !gone])
    assert.match(question?.content.question ?? '', /Delete old\.txt/)
  }
})

test('[E25] its questions become question cards, one for each field, and the answers go back as a form', async (t) => {
  const requestedSchema = { type: 'object', properties: { colour: { type: 'string', enum: ['red', 'blue'] }, deep: { type: 'boolean' } } }
  const scene = await withAcpAgent(t, { prompts: [[{ form: { message: 'Which?', requestedSchema } }]] })

  const waiting = await scene.play()
  for (const { id, content } of await questions.items(scene.agent.driver))
    await answerQuestion(scene.agent.driver, id, { value: content.options.at(-1)?.value }, 'user', new Date())
  const run = await playRun(scene.agent, await resumeRun(scene.agent, waiting.id), never)

  assert.deepEqual(JSON.parse(await lastText(scene, run)), { action: 'accept', content: { colour: 'blue', deep: false } })
})

test('[E26] a second prompt on the thread goes to the same agent, which is told only what is new', async (t) => {
  const scene = await withAcpAgent(t, { prompts: [[{ pid: true }], [{ pid: true }, { prompt: true }]] })

  const first = await scene.play({ prompt: 'First wish' })
  const second = await scene.play({ prompt: 'Second wish', thread_id: first.thread_id })
  const [one, two] = [await lastText(scene, first), await lastText(scene, second)]

  assert.equal(/pid \d+/.exec(one)?.[0], /pid \d+/.exec(two)?.[0])
  assert.match(two, /prompt 2/)
  assert.match(two, /<<Second wish>>/)
})

test('[E27] a stop cancels the prompt and keeps the agent; one that does not listen is ended', async (t) => {
  for (const deaf of [false, true]) {
    const scene = await withAcpAgent(t, {
      prompts: [[{ call: { id: 'work', kind: 'execute' } }, { child: true }, { stubborn: true }], [{ pid: true }]],
      deaf,
    })
    const stop = new AbortController()
    const held = await scene.start()
    const playing = playRun(scene.agent, held, stop.signal)
    while (!scene.events.some(({ type }) => type === 'tool_use')) await new Promise((resolve) => setTimeout(resolve, 10))
    stop.abort()
    const run = await playing
    const again = deaf ? null : await scene.play({ prompt: 'Again', thread_id: run.thread_id })

    assert.equal(run.status, 'stopped')
    if (again !== null) assert.match(await lastText(scene, again), /prompt 2 /)
    if (deaf) assert.deepEqual(await processesWith(scene.script), [])
    assert.deepEqual(
      outcomesOf(await scene.thread(run)).filter((line) => line.startsWith('outsider')),
      ['outsider.execute interrupted'],
    )
  }
})

test('[E28] an agent that dies, floods, speaks nonsense or asks for what it may not gets a clear end, and what was said is kept', async (t) => {
  const cases: [string, readonly Record<string, unknown>[], RegExp][] = [
    ['dies in a call', [{ say: 'Half' }, { call: { id: 'work', kind: 'execute' } }, { exit: 7 }], /ended \(7\)/],
    ['floods', Array.from({ length: 4 }, () => ({ long: 6_000_000 })), /more than 20 million/],
    ['sends too much at once', [{ long: 40_000_000 }], /outsider/],
  ]
  for (const [name, steps, expected] of cases) {
    const scene = await withAcpAgent(t, { prompts: [steps] })
    const run = await scene.play()
    const note = (await scene.thread(run)).at(-1)
    assert.equal(run.status, 'failed', name)
    assert.match(note?.from === 'note' ? note.text : '', expected, name)
  }
  const odd = await withAcpAgent(t, { prompts: [[{ garbage: 'no json' }, { unknown: true }, { files: true }]] })
  const run = await odd.play()
  assert.match(await lastText(odd, run), /-32601.*-32601/)
})

test('[E29] a login that is missing, another version and a limit are told as what they are', async (t) => {
  const login = await withAcpAgent(t, { login: true })
  const version = await withAcpAgent(t, { version: 65_535 })
  const limit = await withAcpAgent(t, { error: { code: -32603, message: "You've hit your usage limit. Try again in 5 minutes" } })

  const reasons = []
  for (const scene of [login, version, limit]) {
    const run = await scene.play()
    const note = (await scene.thread(run)).at(-1)
    reasons.push(`${run.reason} ${note?.from === 'note' ? note.text : ''}`)
  }

  assert.match(reasons[0] ?? '', /provider_refused .*log in/)
  assert.match(reasons[1] ?? '', /65535/)
  assert.match(reasons[2] ?? '', /usage limit/)
})

test('[E30] a cost limit that is reached within a prompt stops the agent', async (t) => {
  const usage = { used: 10, size: 100, cost: { amount: 2, currency: 'USD' } }
  const scene = await withAcpAgent(t, { prompts: [[{ usage }, { stubborn: true }]] })

  const run = await scene.play({ limits: { max_cost_microusd: 1_000_000 } })

  assert.deepEqual([run.reason, run.usage.cost_microusd], ['budget', 2_000_000])
})

async function lastText(scene: Awaited<ReturnType<typeof withAcpAgent>>, run: { thread_id: string; id: string }): Promise<string> {
  const said = (await scene.thread(run as never)).filter((entry) => entry.from === 'assistant' && entry.run_id === run.id)
  const last = said.at(-1)
  return last?.from === 'assistant' ? last.text : ''
}
