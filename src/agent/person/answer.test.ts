import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { asking } from '../../../tests/replies.ts'
import type { Run } from '../../domain/run.ts'
import { questions, runs } from '../../store/run-tables.ts'
import { answerQuestion, questionsOf, type GivenAnswer } from './answer.ts'
import { resumeRun } from '../run/resume.ts'
import { outcomesOf, testAgent, type TestAgent } from '../test-agent.ts'

const question = asking('Update the tests too?', { update_tests: 'Yes, update tests', skip_tests: 'No, skip tests' })

test('[A57] the answer to a question in text goes to the model with label and value, and the run goes on', async (t) => {
  const scene = await testAgent(t, [
    { text: JSON.stringify(question) },
    { text: 'Updated.', expect: { user: 'Yes, update tests (value: update_tests)' } },
  ])
  const waiting = await scene.play()

  const run = await answerAndResume(scene, waiting, { value: 'update_tests' })

  assert.deepEqual([run.status, run.id], ['completed', waiting.id])
  assert.deepEqual(outcomesOf(await scene.thread(run)), ['user', 'assistant', 'note answer', 'assistant'])
})

test('[A58] ask_user waits like a question in text, and the answer is the answer of the call', async (t) => {
  const scene = await testAgent(t, [
    { calls: [{ tool: 'ask_user', input: question }] },
    { text: 'Skipped.', expect: { tool_output: 'No, skip tests (value: skip_tests)' } },
  ])
  const waiting = await scene.play()

  const run = await answerAndResume(scene, waiting, { value: 'skip_tests' })

  assert.deepEqual([waiting.status, run.status], ['waiting', 'completed'])
  assert.deepEqual(outcomesOf(await scene.thread(run)), ['user', 'assistant', 'ask_user ok', 'assistant'])
})

test('[A58] words of the user’s own are an answer too', async (t) => {
  const scene = await testAgent(t, [
    { text: JSON.stringify(question) },
    { text: 'Fine.', expect: { user: 'in their own words: only the slow ones' } },
  ])
  const waiting = await scene.play()

  const run = await answerAndResume(scene, waiting, { text: 'only the slow ones' })

  assert.equal(run.status, 'completed')
})

test('[A59] an answer that comes twice, to a withdrawn question, or with a value that was not offered is refused', async (t) => {
  const scene = await testAgent(t, [{ text: JSON.stringify(question) }, { text: JSON.stringify(question) }, { text: 'Done.' }])
  const first = await scene.play({ thread_id: 'thread_1' })
  const second = await scene.play({ thread_id: 'thread_1' })
  const answer = (run: Run, given: GivenAnswer) => answerQuestion(scene.agent.driver, run.question_id ?? '', given, 'user', new Date())

  await assert.rejects(answer(first, { value: 'skip_tests' }), {
    code: 'move_refused',
    message: /is no longer open: it was cancelled/,
  })
  await assert.rejects(answer(second, { value: 'other' }), { code: 'bad_input', message: /it takes update_tests, skip_tests/ })
  await assert.rejects(answer(second, {}), { code: 'bad_input' })
  await answer(second, { value: 'skip_tests' })
  await assert.rejects(answer(second, { value: 'skip_tests' }), {
    code: 'move_refused',
    message: /is no longer open: it was answered by user with: /,
  })
})

test('[A59] options that share a value are refused: whoever chose one would have chosen another', async (t) => {
  const alike = question.options.map((option) => ({ ...option, value: 'same' }))
  const scene = await testAgent(t, [
    { calls: [{ tool: 'ask_user', input: { ...question, options: alike, default: 'same' } }] },
    { text: 'Done.' },
  ])

  const run = await scene.play()

  const [, , asked] = await scene.thread(run)
  assert.equal(run.status, 'completed')
  assert.match(asked?.from === 'tool' ? asked.output : '', /options.*a different value/)
})

test('[A60] a run that waits is not resumed before its question is answered', async (t) => {
  const scene = await testAgent(t, [{ text: JSON.stringify(question) }])
  const waiting = await scene.play()

  await assert.rejects(resumeRun(scene.agent, waiting.id), { code: 'needs_person', message: /Update the tests too\?/ })

  assert.equal((await runs.get(scene.agent.driver, waiting.id)).item.status, 'waiting')
})

test('[A61] a call that needs leave waits for it, runs once when it is given, and the approval is used up', async (t) => {
  const deletion = { calls: [{ tool: 'delete_file', input: { path: 'a.txt' } }] }
  const restored = async () => {
    await writeFile(join(scene.workspace, 'a.txt'), 'a')
    return deletion
  }
  const scene = await testAgent(t, [restored, restored])
  const waiting = await scene.play()
  const before = existsSync(join(scene.workspace, 'a.txt'))

  const again = await answerAndResume(scene, waiting, { value: 'approve' })

  const { item } = await questions.get(scene.agent.driver, waiting.question_id ?? '')
  assert.deepEqual([waiting.status, before, again.status], ['waiting', true, 'waiting'])
  assert.notEqual(item.approval?.used_at, null)
  assert.notEqual(again.question_id, waiting.question_id)
  assert.deepEqual(outcomesOf(await scene.thread(again)), ['user', 'assistant', 'delete_file ok', 'assistant', 'delete_file waiting'])
})

test('[G47] a run that is resumed with a yes asks again when the file has changed since, and the old yes does nothing later either', async (t) => {
  const scene = await testAgent(t, [{ calls: [{ tool: 'delete_file', input: { path: 'a.txt' } }] }, { text: 'Done.' }])
  const file = join(scene.workspace, 'a.txt')
  await writeFile(file, 'first')
  const first = await scene.play()
  await writeFile(file, 'second')

  const second = await answerAndResume(scene, first, { value: 'approve' })
  await writeFile(file, 'first')
  const third = await answerAndResume(scene, second, { value: 'approve' })
  const kept = existsSync(file)
  const end = await answerAndResume(scene, third, { value: 'approve' })

  assert.deepEqual(
    [first, second, third, end].map(({ status }) => status),
    ['waiting', 'waiting', 'waiting', 'completed'],
  )
  assert.equal(new Set([first, second, third].map(({ question_id }) => question_id)).size, 3)
  assert.deepEqual([kept, existsSync(file)], [true, false])
})

test('[G15] a refused approval is told to the model with what the user added, and nothing happens', async (t) => {
  const scene = await testAgent(t, [
    { calls: [{ tool: 'delete_file', input: { path: 'a.txt' } }] },
    { text: 'I leave it.', expect: { tool_output: 'we still need it' } },
  ])
  await writeFile(join(scene.workspace, 'a.txt'), 'a')
  const waiting = await scene.play()

  const run = await answerAndResume(scene, waiting, { value: 'refuse', text: 'we still need it' })

  assert.equal(run.status, 'completed')
  assert.ok(existsSync(join(scene.workspace, 'a.txt')))
  assert.deepEqual(outcomesOf(await scene.thread(run)), ['user', 'assistant', 'delete_file denied', 'assistant'])
})

test('[A63] two questions in one reply are both pending; each is answered on its own, in any order, and the run goes on after the last', async (t) => {
  const other = { ...question, question: 'And the docs?' }
  const scene = await testAgent(t, [
    { text: `One: ${JSON.stringify(question)}\nTwo: ${JSON.stringify(other)}\nPlease.` },
    { text: 'Done.' },
  ])
  const waiting = await scene.play()
  const asked = await questionsOf(scene.agent.driver, waiting)

  await answerQuestion(scene.agent.driver, asked[1]?.id ?? '', { value: 'skip_tests' }, 'user', new Date())
  await assert.rejects(scene.resume(waiting.id), { code: 'needs_person', message: /waits for an answer/ })
  await answerQuestion(scene.agent.driver, asked[0]?.id ?? '', { value: 'update_tests' }, 'user', new Date())
  const run = await scene.resume(waiting.id)

  assert.deepEqual([waiting.status, asked.length, run.status], ['waiting', 2, 'completed'])
  const told = (scene.requests[1]?.entries ?? []).flatMap((entry) => (entry.from === 'user' ? [entry.text] : []))
  assert.match(told.join('\n'), /value: update_tests[^]*docs[^]*value: skip_tests/)
})

test('[A63] two questions of two calls in one reply are pending at once, and the run goes on after the last', async (t) => {
  const other = { ...question, question: 'And the docs?' }
  const scene = await testAgent(t, [{ calls: [question, other].map((input) => ({ tool: 'ask_user', input })) }, { text: 'Done.' }])
  const first = await scene.play()
  const pending = await questionsOf(scene.agent.driver, first, 'pending')

  await assert.rejects(answerAndResume(scene, first, { value: 'skip_tests' }), { code: 'needs_person' })
  const second = (await runs.get(scene.agent.driver, first.id)).item
  const run = await answerAndResume(scene, second, { value: 'update_tests' })

  assert.deepEqual([pending.length, first.question_id === second.question_id], [2, false])
  assert.deepEqual([first.status, second.status, run.status], ['waiting', 'waiting', 'completed'])
})

async function answerAndResume({ agent, resume }: TestAgent, waiting: Run, given: GivenAnswer): Promise<Run> {
  await answerQuestion(agent.driver, waiting.question_id ?? '', given, 'user', new Date())
  return resume(waiting.id)
}
