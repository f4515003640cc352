import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { aRequest, assistant, never, note, tool, user } from '../test-entries.ts'
import { resolveModel } from '../open.ts'
import { replayProvider } from './replay.ts'
import { testFolder } from '../../sandbox/test-folder.ts'

const call = { id: 'c1', tool: 'read_file', input: { path: 'a' } }
const recording = [user('Go.'), assistant('I read.', [call]), tool(call, 'A'), assistant('It says A.')]

test('[A23] a recording answers turn by turn, whatever the ids and times are now', async () => {
  const provider = replayProvider(recording)
  const deltas: string[] = []

  const first = await provider.ask(aRequest({ entries: [user('Go.')] }), never, { onText: (delta) => deltas.push(delta) })
  const second = await provider.ask(
    aRequest({ entries: [user('Go.'), assistant('I read.', [{ ...call, id: 'other' }]), tool({ ...call, id: 'other' }, 'A')] }),
    never,
  )

  assert.deepEqual([first.text, first.calls, first.stop, deltas], ['I read.', [call], 'calls', ['I read.']])
  assert.deepEqual([second.text, second.stop], ['It says A.', 'end'])
})

test('[A23] a thread that differs from the recording is told with the first difference', async () => {
  const provider = replayProvider(recording)

  const differing = provider.ask(aRequest({ entries: [user('Go.'), assistant('I read.', [call]), tool(call, 'B')] }), never)
  const tooLong = provider.ask(aRequest({ entries: [...recording, user('More.')] }), never)

  await assert.rejects(differing, {
    code: 'provider_refused',
    message: 'the thread differs from the recording at entry 3: recorded read_file ok "A"; now read_file ok "B"',
  })
  await assert.rejects(tooLong, { code: 'provider_refused', message: /holds 2 replies; reply 3/ })
})

test('[A23] what befell the recorded run is no difference: an error it got over, a compaction, an answer kept as a note', async () => {
  const kept = [
    user('Go.'),
    note('error', 'Busy.'),
    assistant('Which?'),
    note('answer', 'This.'),
    note('compaction', 'Short.'),
    assistant('Done.'),
  ]
  const provider = replayProvider(kept)

  const first = await provider.ask(aRequest({ entries: [user('Go.')] }), never)
  const second = await provider.ask(aRequest({ entries: [user('Go.'), assistant('Which?'), note('error', 'Cut.'), user('This.')] }), never)

  assert.deepEqual([first.text, second.text], ['Which?', 'Done.'])
})

test('[A5] a recording is read as a list or one entry per line, and a bad one is refused with the place', async (t) => {
  const folder = await testFolder(t)
  await writeFile(join(folder, 'lines.jsonl'), recording.map((entry) => JSON.stringify(entry)).join('\n'))
  await writeFile(join(folder, 'list.json'), JSON.stringify({ entries: recording }, null, 2))
  await writeFile(join(folder, 'bad.json'), '[{"from": "user"}]')

  const [lines, list] = await Promise.all(
    ['lines.jsonl', 'list.json'].map((file) => resolveModel(`replay:${join(folder, file)}`, { env: {} })),
  )

  for (const read of [lines, list]) assert.equal((await read?.provider.ask(aRequest({ entries: [user('Go.')] }), never))?.text, 'I read.')
  await assert.rejects(resolveModel(`replay:${folder}/bad.json`, { env: {} }), { code: 'bad_input', message: /bad\.json is not valid/ })
})
