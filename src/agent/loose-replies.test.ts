import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { asking } from '../../tests/replies.ts'
import { plans, questions } from '../store/run-tables.ts'
import { testAgent } from './test-agent.ts'

const step = { step_number: 1, action: 'Create hello.txt' }
const plan = { goal: 'Say hello', steps: [step] }
const question = {
  ...asking('Update the tests too?', { update_tests: 'Yes, update tests', skip_tests: 'No, skip tests' }),
  severity: 'major',
}
const [yes, no] = question.options

/** What becomes of a reply: it is taken as it was meant, the model is asked once more, or it is text like any other. */
type Becomes = 'taken' | 'asked again' | 'text'

const fenced = (json: string) => `\`\`\`json\n${json}\n\`\`\``
const quoted = (json: string) => json.replaceAll(/^/gm, '> ')
const planWith = (fields: object) => JSON.stringify({ ...plan, ...fields })
const stepWith = (fields: object) => planWith({ steps: [{ ...step, ...fields }] })

const planShapes: readonly [name: string, text: string, becomes: Becomes][] = [
  ['plain', JSON.stringify(plan), 'taken'],
  ['fenced, with words around it', `I looked.\n${fenced(JSON.stringify(plan, null, 2))}\nWell?`, 'taken'],
  ['with a comma too many', '{"goal": "Say hello", "steps": [{"step_number": 1, "action": "Create hello.txt",},],}', 'taken'],
  ['with comments', '{\n// what for\n"goal": "Say hello", /* one */ "steps": [{"action": "Create hello.txt"}]}', 'taken'],
  ['with bare keys and single quotes', "{goal: 'Say hello', steps: [{step_number: 1, action: 'Create hello.txt'}]}", 'taken'],
  ['wrapped', JSON.stringify({ plan }), 'taken'],
  ['wrapped beside a type', JSON.stringify({ type: 'plan', plan }), 'taken'],
  ['in a list', JSON.stringify([plan]), 'taken'],
  ['in a list of plans', JSON.stringify({ plans: [plan] }), 'taken'],
  ['with null for a list', planWith({ risks: null, prerequisites: null }), 'taken'],
  ['with a word for an empty list', planWith({ risks: 'none' }), 'taken'],
  ['with a text for a list', planWith({ prerequisites: 'Node 24' }), 'taken'],
  ['with null for a text', stepWith({ reason: null, estimated_time: null }), 'taken'],
  ['with a number for a time', stepWith({ estimated_time: 5 }), 'taken'],
  ['with a tool that is not in a list', stepWith({ tools_needed: 'create_file' }), 'taken'],
  ['with a number in quotes', stepWith({ step_number: '1' }), 'taken'],
  ['counted from zero', stepWith({ step_number: 0 }), 'taken'],
  ['with steps that are texts', planWith({ steps: ['Create hello.txt', 'Look at it'] }), 'taken'],
  ['with fields of its own', planWith({ confidence: 0.9 }), 'taken'],
  ['without steps', planWith({ steps: [] }), 'asked again'],
  ['without a goal', JSON.stringify({ steps: [step] }), 'asked again'],
  ['with a step that does nothing', stepWith({ action: '' }), 'asked again'],
  ['that breaks off', JSON.stringify(plan).slice(0, -12), 'asked again'],
  ['that is quoted', quoted(JSON.stringify(plan, null, 2)), 'asked again'],
  ['of wrong types', '{"goal": 7, "steps": {"a": 1}}', 'asked again'],
  ['that is a question', JSON.stringify(question), 'text'],
]

const asked = (fields: object) => JSON.stringify({ ...question, ...fields })
const without = (key: string) => JSON.stringify({ ...question, [key]: undefined })

const questionShapes: readonly [name: string, text: string, becomes: Becomes][] = [
  ['plain', JSON.stringify(question), 'taken'],
  ['fenced, with words around it', `One thing.\n${fenced(JSON.stringify(question, null, 2))}`, 'taken'],
  ['with a comma too many', JSON.stringify(question).replace(/\}$/, ',}'), 'taken'],
  ['with a comment', JSON.stringify(question, null, 2).replace('{', '{ // it matters'), 'taken'],
  ['with single quotes', JSON.stringify(question).replaceAll('"', "'"), 'taken'],
  ['with bare keys', JSON.stringify(question).replaceAll(/"(\w+)":/g, '$1:'), 'taken'],
  ['wrapped', JSON.stringify({ question }), 'taken'],
  ['in a list of questions', JSON.stringify({ questions: [question] }), 'taken'],
  ['of severity "Critical"', asked({ severity: 'Critical' }), 'taken'],
  ['of severity "MAJOR "', asked({ severity: 'MAJOR ' }), 'taken'],
  ['of type "Question"', asked({ type: 'Question' }), 'taken'],
  ['without a type', without('type'), 'taken'],
  ['with null for its context', asked({ context: null }), 'taken'],
  ['without a context', without('context'), 'taken'],
  ['with null for a description', asked({ options: [{ ...yes, description: null }, no] }), 'taken'],
  ['with a number for a value', asked({ options: [{ label: 'One', value: 1 }, { label: 'Two', value: 2 }] }), 'taken'], // oxfmt-ignore
  ['with options that are texts', asked({ options: ['Yes', 'No'] }), 'taken'],
  ['with options that have a label alone', asked({ options: [{ label: 'Yes' }, { label: 'No' }] }), 'taken'],
  ['with options that have a value alone', asked({ options: [{ value: 'yes' }, { value: 'no' }] }), 'taken'],
  ['whose default is a label', asked({ default: 'No, skip tests' }), 'taken'],
  ['whose default is in another case', asked({ default: 'SKIP_TESTS' }), 'taken'],
  ['whose default is null', asked({ default: null }), 'taken'],
  ['with fields of its own', asked({ urgency: 3 }), 'taken'],
  ['whose default is not an option', asked({ default: 'perhaps' }), 'asked again'],
  ['of severity "high"', asked({ severity: 'high' }), 'asked again'],
  ['without a severity', without('severity'), 'asked again'],
  ['without options', asked({ options: [] }), 'asked again'],
  ['with options that cannot be told apart', asked({ options: [yes, yes] }), 'asked again'],
  ['without a text', asked({ question: '' }), 'asked again'],
  ['that breaks off', JSON.stringify(question).slice(0, -9), 'asked again'],
  ['that is quoted', quoted(JSON.stringify(question, null, 2)), 'asked again'],
  ['that is a plan', JSON.stringify(plan), 'text'],
]

for (const [name, text, becomes] of planShapes) {
  test(`[A110] a plan ${name}: ${becomes}`, async (t) => {
    const { run, requests, kept } = await playShape(t, 'planner', text, plan)

    assert.equal(requests, becomes === 'asked again' ? 2 : 1)
    assert.deepEqual([run.status, kept], ['completed', becomes === 'text' ? 0 : 1])
  })
}

for (const [name, text, becomes] of questionShapes) {
  test(`[A110] a question ${name}: ${becomes}`, async (t) => {
    const { run, requests, kept } = await playShape(t, 'actor', text, question)

    assert.equal(requests, becomes === 'asked again' ? 2 : 1)
    assert.deepEqual([run.status, kept], becomes === 'text' ? ['completed', 0] : ['waiting', 1])
  })
}

test('[A111] the model is told the fault word for word, and what it sends instead counts', async (t) => {
  const { play, requests, thread } = await testAgent(t, [{ text: asked({ default: 'perhaps' }) }, { text: JSON.stringify(question) }])

  const run = await play()

  const told = requests[1]?.entries.at(-1)
  assert.ok(told?.from === 'note' && /default is "perhaps"; it must be/.test(told.text))
  const [, first] = await thread(run)
  assert.match(first?.from === 'assistant' ? (first.unparsed ?? '') : '', /^not a question: default /)
})

test('[A111] a model that answers in plain words instead is done, and one that is unreadable twice fails: nothing looks done that is not', async (t) => {
  const broken = JSON.stringify(plan).slice(0, -12)
  const { play, requests, agent } = await testAgent(t, [
    { text: broken },
    { text: 'It is only an idea.' },
    { text: broken },
    { text: broken },
  ])

  const talked = await play({ agent_role: 'planner' })
  const failed = await play({ agent_role: 'planner' })

  assert.deepEqual([talked.status, failed.status, failed.reason, requests.length], ['completed', 'failed', 'unreadable_reply', 4])
  assert.equal(await plans.count(agent.driver), 0)
})

test('[A111] data that only resembles a question is asked about once, and is an answer when it comes again', async (t) => {
  const quiz = JSON.stringify({ question: 'Which planet is red?', options: [{ label: 'Mars', value: 'm' }] })
  const { play, requests } = await testAgent(t, [{ text: quiz }, { text: quiz }])

  const run = await play()

  assert.deepEqual([run.status, requests.length], ['completed', 2])
})

async function playShape(t: TestContext, agent_role: string, text: string, meant: object) {
  const { play, agent, requests } = await testAgent(t, [{ text }, { text: JSON.stringify(meant) }])
  const run = await play({ agent_role })
  const kept = agent_role === 'planner' ? await plans.count(agent.driver) : await questions.count(agent.driver)
  return { run, requests: requests.length, kept }
}

test('[A112] a reply that was cut says why in the record and to whoever watches, and one that was whole says nothing', async (t) => {
  const { play, thread, events } = await testAgent(t, [
    { text: 'Half of', stop: 'length' },
    { text: 'I would', stop: 'filtered' },
    { text: 'All of it.' },
  ])

  const runs = [await play(), await play(), await play()]

  const kept = await Promise.all(runs.map(async (run) => (await thread(run)).at(-1)))
  const told = events.flatMap((event) => (event.type === 'message' ? [event.cut] : []))
  assert.deepEqual(
    kept.map((entry) => entry?.from === 'assistant' && entry.cut),
    ['length', 'filtered', null],
  )
  assert.deepEqual(told, ['length', 'filtered', undefined])
})
