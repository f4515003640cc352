import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { anAccount } from '../../src/cli/test-account.ts'
import { asking } from '../replies.ts'

const look = { calls: [{ tool: 'list_directory', input: { path: '.' } }] }
const question = asking('Which name?', { a: 'The first', b: 'The second' })

test('[A84] troupe run ends with the code of how the run ended', async (t) => {
  const { run } = await aTroupe(t, {
    completed: [look, { text: 'Done.' }],
    asks: [{ text: JSON.stringify(question) }],
    fails: [{ fail: 500, times: 99 }],
    spends: [{ ...look, usage: { cost_microusd: 600_000 }, repeat: true }],
    insists: [{ calls: [{ tool: 'create_file', input: { path: 'a', content: '' } }], repeat: true }],
    goes_on: [{ ...look, repeat: true }],
    deletes: [{ calls: [{ tool: 'delete_file', input: { path: 'a.txt' } }], repeat: true }],
  })

  const codes = {
    completed: (await run('completed')).code,
    asks: (await run('asks')).code,
    deletes: (await run('deletes')).code,
    'deletes unasked': (await run('deletes', '--approve', 'never')).code,
    fails: (await run('fails')).code,
    spends: (await run('spends', '--max-budget-usd', '1')).code,
    insists: (await run('insists', '--role', 'planner')).code,
    goes_on: (await run('goes_on', '--max-turns', '2')).code,
  }

  assert.deepEqual(codes, { completed: 0, asks: 10, deletes: 10, 'deletes unasked': 13, fails: 11, spends: 12, insists: 13, goes_on: 53 })
})

test('[A84] troupe run refuses what it cannot read with code 42 and one sentence', async (t) => {
  const { run, troupe } = await aTroupe(t, { fine: [{ text: 'Done.' }] })

  const refused = [
    await troupe('run'),
    await run('missing'),
    await run('fine', '--role', 'plannner'),
    await run('fine', '--max-turns', 'many'),
    await run('fine', '--max-budget-usd', '-1'),
    await run('fine', '--output-format', 'yaml'),
    await run('fine', '--approve', 'delete_file=perhaps'),
    await run('fine', '--cwd', 'no-such-folder'),
    await troupe('run', '--resume', 'run_none'),
  ]

  assert.deepEqual(
    refused.map(({ code }) => code),
    refused.map(() => 42),
  )
  for (const { stdout, stderr } of refused) assert.ok(stdout === '' && stderr.trim().split('\n').length === 1, stderr)
})

test('[A85] JSON is on stdout and everything else on stderr, as one result or as one event per line', async (t) => {
  const { run } = await aTroupe(t, { plan: [look, { text: 'Done.' }] })

  const one = await run('plan', '--output-format', 'json')
  const many = await run('plan', '--output-format', 'stream-json')

  const result: unknown = JSON.parse(one.stdout)
  assert.ok(typeof result === 'object' && result !== null && 'text' in result && result.text === 'Done.')
  const types = many.stdout
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type) // each line is an event
  assert.deepEqual(types, ['init', 'message', 'tool_use', 'tool_result', 'message', 'result'])
  assert.match(one.stderr, /list_directory/)
})

test('[A86] a question is in the output with the command that answers it, and another process carries the run on', async (t) => {
  const { run, troupe } = await aTroupe(t, {
    asks: [{ text: JSON.stringify(question) }, { text: 'Named b.', expect: { user: 'The second (value: b)' } }],
  })
  const asked = JSON.parse((await run('asks', '--output-format', 'json')).stdout) as { run_id: string; answer_with: string } // as the text says

  const early = await troupe('run', '--resume', asked.run_id)
  const wrong = await troupe('run', '--resume', asked.run_id, '--answer', 'c')
  const answered = await troupe('run', '--resume', asked.run_id, '--answer', 'b')
  const twice = await troupe('run', '--resume', asked.run_id, '--answer', 'b')

  assert.equal(asked.answer_with, `troupe run --resume ${asked.run_id} --answer a|b`)
  assert.deepEqual([early.code, wrong.code, answered.code, twice.code], [10, 42, 0, 42])
  assert.equal(answered.stdout, 'Named b.\n')
})

test('[A86] a prompt beside --resume goes on in the same thread', async (t) => {
  const { run, troupe } = await aTroupe(t, { talk: [{ text: 'First.' }, { text: 'Second.', expect: { user: 'and then?' } }] })
  const first = JSON.parse((await run('talk', '--output-format', 'json')).stdout) as { run_id: string; thread_id: string } // as above

  const second = await troupe('run', 'and then?', '--resume', first.run_id, '--output-format', 'json')

  assert.equal(second.code, 0)
  assert.equal((JSON.parse(second.stdout) as { thread_id: string }).thread_id, first.thread_id) // as above
})

/** An account with scripts by name; each follows its thread, so that another process goes on where the last one was. */
async function aTroupe(t: TestContext, scripts: Record<string, unknown[]>) {
  const account = await anAccount(t)
  for (const [name, replies] of Object.entries(scripts)) await account.script({ follow: 'thread', replies }, `${name}.json`)
  await account.write('project/a.txt', 'a\n')
  const run = (name: string, ...args: string[]) =>
    account.troupe('run', 'do it', '--model', `scripted:${account.home}/${name}.json`, ...args)
  return { run, troupe: account.troupe.bind(account) }
}
