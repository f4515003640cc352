import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aRequest, assistant, never, note, tool, user } from '../test-entries.ts'
import type { Entry } from '../../domain/entry.ts'
import { jsonObjectsIn } from '../../domain/text/json-in-text.ts'
import { PlanContent } from '../../domain/plan.ts'
import { QuestionContent } from '../../domain/question.ts'
import type { ModelRequest, ModelReply, ToolSpec } from '../provider.ts'
import { rehearsalProvider } from './rehearsal.ts'

const offering = (...names: string[]): ToolSpec[] => names.map((name) => ({ name, description: '', input_schema: {} }))
const plan = { goal: 'Add a greeting.', steps: [{ step_number: 1, action: 'Write greet()' }] }

/** Plays turns as the loop would until the rehearsal calls nothing more, answering each call from a table. */
async function play(request: ModelRequest, answers: Record<string, string>, answered?: Entry): Promise<ModelReply[]> {
  const entries = [...request.entries]
  const replies: ModelReply[] = []
  for (let turn = 0; turn < 10; turn++) {
    const reply = await rehearsalProvider().ask({ ...request, entries }, never)
    replies.push(reply)
    entries.push(assistant(reply.text, reply.calls), ...reply.calls.map((call) => tool(call, answers[call.tool] ?? 'ok')))
    if (reply.calls.length > 0) continue
    if (answered === undefined || entries.includes(answered)) return replies
    entries.push(answered)
  }
  throw new Error('the rehearsal does not come to an end')
}

function toolsIn(replies: readonly ModelReply[]): string[][] {
  return replies.map(({ calls }) => calls.map(({ tool: name }) => name))
}

test('[A24] without change tools the rehearsal looks around, reads a few files and hands back a plan for the request', async () => {
  const request = aRequest({
    entries: [user('Add a greeting. Make it nice.')],
    tools: offering('read_file', 'list_directory', 'search_code'),
  })

  const replies = await play(request, { list_directory: 'README.md\nsrc/\npackage.json\n' })

  assert.deepEqual(toolsIn(replies), [['list_directory'], ['read_file', 'read_file'], []])
  const last = replies.at(-1)?.text ?? ''
  assert.match(last, /^Rehearsal model/)
  assert.equal(PlanContent.parse(jsonObjectsIn(last)[0]?.value).goal, 'Add a greeting.')
})

test('[A24] with `submit_plan` offered the rehearsal hands its plan in by that call', async () => {
  const request = aRequest({ entries: [user('Add a greeting.')], tools: offering('read_file', 'submit_plan') })

  const replies = await play(request, {})

  const [call] = replies[0]?.calls ?? []
  assert.equal(call?.tool, 'submit_plan')
  assert.equal(PlanContent.parse(call?.input).goal, 'Add a greeting.')
})

test('[A25] with an approved plan the rehearsal asks one question, does what was answered and reports', async () => {
  const request = aRequest({
    system: `You are the Actor. The approved plan:\n${JSON.stringify(plan)}`,
    tools: offering('read_file', 'list_directory', 'create_file'),
  })

  const replies = await play(request, {}, note('answer', 'Write the notes (write)'))

  assert.deepEqual(toolsIn(replies), [['list_directory'], [], ['create_file'], []])
  assert.equal(QuestionContent.parse(jsonObjectsIn(replies[1]?.text ?? '')[0]?.value).severity, 'minor')
  assert.match(JSON.stringify(replies[2]?.calls[0]?.input), /Add a greeting/)
  assert.match(replies[3]?.text ?? '', /Rehearsal model[^]*1\. Write greet\(\)[^]*created rehearsal-notes\.md/)
})

test('[A25] told to change nothing, the rehearsal changes nothing and says so', async () => {
  const request = aRequest({ system: JSON.stringify(plan), tools: offering('create_file', 'ask_user') })

  const replies = await play(request, { ask_user: 'The user chose: skip' })

  assert.deepEqual(toolsIn(replies), [['ask_user'], []])
  assert.match(replies[1]?.text ?? '', /I changed nothing/)
})

test('[A24] anything else is answered with what the rehearsal is and how to get a real model', async () => {
  const reply = await rehearsalProvider().ask(aRequest({ tools: offering('create_file') }), never)

  assert.match(reply.text, /^This is the rehearsal model: no key is set/)
  assert.deepEqual([reply.model, reply.calls], ['rehearsal', []])
})
