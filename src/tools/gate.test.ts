import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile, rename, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import * as z from 'zod'
import { each } from '../domain/test-each.ts'
import { parseApprove } from './approvals.ts'
import { callTool, defineTool } from './gate.ts'
import { aCall, aTool, openTestGate } from './test-gate.ts'
import { commandSettingsWith } from '../sandbox/test-command-settings.ts'

test('[G5] a body can only be started by the gate, and a look-alike has none', async (t) => {
  const gate = await openTestGate(t)
  const tool = aTool('count', async () => ({ output: 'ran' }))

  const real = await gate.as({ tools: [tool] }).call('count', {})

  assert.equal(real.output, 'ran')
  assert.equal(Object.values(tool).includes(real.output) || 'run' in tool || 'preview' in tool || 'recover' in tool, false)
  await assert.rejects(gate.as({ tools: [{ ...tool }] }).call('count', {}), /not made by defineTool/)
})

test('[G6] a denial carries its code, the role, what is missing and who could change it, and is not retryable', async (t) => {
  const gate = (await openTestGate(t, { 'a.txt': 'a' })).as({ role: 'planner', permissions: ['read_files'] })

  const result = await gate.call('delete_file', { path: 'a.txt' })

  assert.equal(result.outcome, 'denied')
  assert.match(
    result.output,
    /^denied \(not retryable\): planner may not call delete_file: it needs delete_files; only the user can change this/,
  )
  assert.deepEqual(result.details, {
    error: {
      code: 'denied',
      message: result.decision.message,
      retryable: false,
      details: { tool: 'delete_file', role: 'planner', rule: 'role_permissions', missing_permissions: ['delete_files'] },
    },
  })
  assert.equal(await readFile(join(gate.root, 'a.txt'), 'utf8'), 'a')
})

test('[G7] the third denial of the same call ends the turn; other denials do not count', async (t) => {
  const gate = (await openTestGate(t)).as({ role: 'planner', permissions: ['read_files'] })

  const first = await gate.call('delete_file', { path: 'a' }, 'call_1')
  const other = await gate.call('delete_file', { path: 'b' }, 'call_2')
  const second = await gate.call('delete_file', { path: 'a' }, 'call_3')
  const third = await gate.call('delete_file', { path: 'a' }, 'call_4')

  assert.deepEqual(each([first, other, second, third], 'ends_turn'), [false, false, false, true])
})

test('[G48] the tenth denial in a row ends the turn, whatever was called, and only a call that goes well starts the count anew', async (t) => {
  const gate = (await openTestGate(t, { 'a.txt': 'a' })).as({ role: 'planner', permissions: ['read_files'] })
  const denied = async (many: number, name: string) => {
    const results = []
    for (let at = 0; at < many; at++) results.push(await gate.call('delete_file', { path: `${name}${at}` }))
    return each(results, 'ends_turn')
  }

  const before = await denied(9, 'b')
  await gate.call('read_file', { path: 'a.txt' })
  const after = await denied(5, 'c')
  await gate.call('no_such_tool', {})
  await gate.call('read_file', { path: 'missing.txt' })
  const last = await denied(5, 'd')

  assert.deepEqual([...before, ...after, ...last.slice(0, -1)].filter(Boolean), [])
  assert.equal(last.at(-1), true)
})

test('[G9] an unknown tool is answered with the closest name the role may use', async (t) => {
  const gate = await openTestGate(t)

  const actor = await gate.call('updatefile', {})
  const planner = await gate.as({ role: 'planner', permissions: ['read_files'] }).call('updatefile', {})

  assert.match(actor.output, /there is no tool updatefile; did you mean update_file\?/)
  assert.doesNotMatch(planner.output, /update_file/)
  assert.equal(actor.outcome, 'error')
})

test('[G10] arguments that do not fit are answered with the field, what came and what would fit', async (t) => {
  const gate = await openTestGate(t)

  const wrong = await gate.call('read_file', { path: 7, lines: 3 })
  const text = await gate.call('read_file', '{"path": "a"')

  assert.equal(wrong.outcome, 'error')
  assert.match(wrong.output, /path is 7; expected/)
  assert.match(wrong.output, /lines/)
  assert.match(wrong.output, /It takes path \(string\), start_line \(integer, optional\)/)
  assert.match(text.output, /the input is "\{.*expected an object/)
})

test('[G18] a path outside the workspace is refused before anything runs, however it is written', async (t) => {
  const outside = await openTestGate(t, { 'kept.txt': 'kept' })
  const gate = await openTestGate(t)
  await symlink(outside.root, join(gate.root, 'link'))
  const escapes = [join(outside.root, 'kept.txt'), '../x', 'link/kept.txt', 'link/new.txt', 'a/../../x']

  for (const path of escapes) {
    const read = await gate.call('read_file', { path })
    const create = await gate.call('create_file', { path, content: 'x' })
    const update = await gate.call('update_file', { path, old_text: 'kept', new_text: 'lost' })

    for (const result of [read, create, update]) assert.deepEqual([result.outcome, result.decision.rule], ['denied', 'path_refused'], path)
  }
  assert.equal(await readFile(join(outside.root, 'kept.txt'), 'utf8'), 'kept')
})

test('[G18] a folder that is swapped for a link after the check leads nowhere', async (t) => {
  const outside = await openTestGate(t, { 'a.txt': 'a', 'b.txt': 'b' })
  const calls: [string, Record<string, string>][] = [
    ['update_file', { path: 'dir/a.txt', old_text: 'a', new_text: 'lost' }],
    ['delete_file', { path: 'dir/b.txt' }],
    ['create_file', { path: 'dir/new.txt', content: 'new' }],
  ]

  for (const [tool, input] of calls) {
    const gate = await openTestGate(t, { 'dir/a.txt': 'a', 'dir/b.txt': 'b' })
    const swapping = gate.as({
      approvals: parseApprove('delete_file=allow'),
      recordStart: async () => {
        await rename(join(gate.root, 'dir'), join(gate.root, 'away'))
        await symlink(outside.root, join(gate.root, 'dir'))
      },
    })

    assert.equal((await swapping.call(tool, input)).outcome, 'error', tool)
  }
  assert.deepEqual((await readdir(outside.root)).toSorted(), ['a.txt', 'b.txt'])
  assert.equal(await readFile(join(outside.root, 'a.txt'), 'utf8'), 'a')
})

test('[G19] a secret is refused to every role unless the user listed it', async (t) => {
  const gate = await openTestGate(t, { '.env': 'KEY=1' })

  const refused = await gate.call('read_file', { path: '.env' })
  const listed = await gate.as({ commands: commandSettingsWith({ allowedSecrets: ['.env'] }) }).call('read_file', { path: '.env' })

  assert.equal(refused.outcome, 'denied')
  assert.match(listed.output, /KEY=1/)
})

test('[G20] a tool that touches a path it did not declare fails', async (t) => {
  const gate = await openTestGate(t)
  const sly = defineTool({
    name: 'sly',
    description: 'declares one path, uses another',
    required_permissions: ['read_files'],
    input: z.strictObject({ path: z.string() }),
    paths: ({ path }) => [path],
    run: async (_, { place }) => ({ output: place('other') }),
  })

  const result = await gate.as({ tools: [sly] }).call('sly', { path: 'a' })

  assert.equal(result.outcome, 'error')
  assert.match(result.output, /touched other without declaring it/)
})

test('[G21] what may change the world is recorded with its preview before it starts; reading is not', async (t) => {
  const gate = await openTestGate(t, { 'a.txt': 'a' })
  const seen: string[] = []
  const watching = gate.as({
    recordStart: async ({ previewed }) => {
      seen.push(`${String(previewed.path)}: ${await readFile(join(gate.root, 'a.txt'), 'utf8')}`)
    },
  })

  await watching.call('read_file', { path: 'a.txt' })
  await watching.call('update_file', { path: 'a.txt', old_text: 'a', new_text: 'b' })

  assert.deepEqual(seen, ['a.txt: a'])
  assert.equal(await readFile(join(gate.root, 'a.txt'), 'utf8'), 'b')
})

test('[G21] a start that could not be recorded does not happen', async (t) => {
  const gate = (await openTestGate(t)).as({ recordStart: () => Promise.reject(new Error('disk full')) })

  await assert.rejects(gate.call('create_file', { path: 'a', content: 'a' }), /disk full/)

  await assert.rejects(readFile(join(gate.root, 'a')))
})

test('[G44] what a tool throws is an error the model reads, and a stopped call is interrupted', async (t) => {
  const gate = await openTestGate(t)
  const stop = new AbortController()
  const waits = aTool('waits', async (_, { signal }) => {
    await once(signal, 'abort')
    throw new Error('gave up')
  })

  const missing = await gate.call('read_file', { path: 'nowhere' })
  const waiting = callTool({ ...gate.context, tools: [waits], signal: stop.signal }, aCall('waits', {}))
  await new Promise(setImmediate)
  stop.abort()

  assert.deepEqual([missing.outcome, missing.output.split(';')[0]], ['error', 'not_found: nowhere does not exist'])
  assert.equal((await waiting).outcome, 'interrupted')
})

test('[G44] a call that is stopped before it starts changes nothing', async (t) => {
  const stop = new AbortController()
  const gate = (await openTestGate(t)).as({ signal: stop.signal })
  stop.abort()

  const result = await gate.call('create_file', { path: 'a.txt', content: 'a' })

  assert.deepEqual([result.outcome, gate.started.length], ['interrupted', 0])
  await assert.rejects(readFile(join(gate.root, 'a.txt')))
})

test('[G28] an answer no tool bounded is bounded by the gate, with a note of what was cut', async (t) => {
  const gate = await openTestGate(t)
  const talks = aTool('talks', async () => ({ output: `start${'x'.repeat(300_000)}end` }))

  const { output } = await gate.as({ tools: [talks] }).call('talks', {})

  assert.ok(output.length < 101_000)
  assert.match(output, /^start[^]*\[… 200008 characters cut …\][^]*end$/)
})

test('[G46] a value that must stay with us is in no answer, no preview and no question', async (t) => {
  const gate = (await openTestGate(t, { 'notes.txt': 'the key is abc-123-secret\n' })).as({ secrets: ['abc-123-secret'] })

  const read = await gate.call('read_file', { path: 'notes.txt' })
  const found = await gate.call('search_code', { pattern: 'abc' })
  const updated = await gate.call('update_file', { path: 'notes.txt', old_text: 'the', new_text: 'our' })
  const asked = await gate.call('delete_file', { path: 'notes.txt' })

  assert.equal(read.output, '1\tthe key is [masked]')
  assert.equal(updated.outcome, 'ok')
  assert.equal(asked.outcome, 'waiting')
  assert.doesNotMatch(JSON.stringify([read, found, updated, asked, gate.started]), /abc-123-secret/)
  assert.equal(await readFile(join(gate.root, 'notes.txt'), 'utf8'), 'our key is abc-123-secret\n')
})
