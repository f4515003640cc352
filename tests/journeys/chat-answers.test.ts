import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { anAccount, runTroupe, type Account } from '../../src/cli/test-account.ts'
import { each } from '../../src/domain/test-each.ts'
import { asking } from '../replies.ts'

const planA = { goal: 'The safe way', steps: [{ step_number: 1, action: 'Create a.txt' }] }
const planB = { goal: 'The risky way', steps: [{ step_number: 1, action: 'Create b.txt' }] }
const plans = { text: `Either ${JSON.stringify(planA)} or ${JSON.stringify(planB)}. I recommend the first.` }
const drop = asking('Drop the table?', { drop: 'Drop it', keep: 'Keep it' }, 'critical')
const tabs = asking('Use tabs?', { tabs: 'Tabs', spaces: 'Spaces' })
const questions = { text: `${JSON.stringify(drop)} and ${JSON.stringify(tabs)}` }

test('[P68] in a terminal several plans are all shown, none is run unnamed, and the named one is the one that runs', async (t) => {
  const account = await accountWith(t, [plans, { text: 'Safely done.', expect: { system: 'The safe way' } }])

  const { stdout, stderr } = await runTroupe(['chat'], at(account), 'which way?\n/execute\n/execute 1\n')

  assert.match(stdout, /Plan 1 \(draft\): The safe way[^]*Plan 2 \(draft\): The risky way[^]*\/execute 1 or \/execute 2[^]*Safely done\./)
  assert.match(stderr, /2 plans to choose from/)
  const [{ id }] = JSON.parse((await account.troupe('chat', 'list', '--json')).stdout).chats
  const shown = JSON.parse((await account.troupe('chat', 'show', id, '--json')).stdout)
  assert.deepEqual(each(shown.plans, 'status'), ['executed', 'superseded'])
})

test('[P69] in a terminal several questions are all told, and each is answered in its turn', async (t) => {
  const account = await accountWith(t, [questions, { text: 'Kept, with tabs.', expect: { user: 'value: tabs' } }])

  const { stdout } = await runTroupe(['chat', '--role', 'actor'], at(account), 'clean up\n2\n1\n')

  assert.match(stdout, /After this one: Use tabs\?[^]*Drop the table\?[^]*Use tabs\?[^]*Kept, with tabs\./)
})

test('[P69] a script that answers one of several questions must say which', async (t) => {
  const account = await accountWith(t, [questions, { text: 'Done.' }])
  await runTroupe(['chat', '--role', 'actor'], at(account), 'clean up\n')
  const [{ id }] = JSON.parse((await account.troupe('chat', 'list', '--json')).stdout).chats
  const asked = JSON.parse((await account.troupe('chat', 'show', id, '--json')).stdout).questions

  const unnamed = await account.troupe('chat', 'answer', id, 'keep')
  const first = await account.troupe('chat', 'answer', id, 'tabs', '--question', asked[1].id)
  const second = await account.troupe('chat', 'answer', id, 'keep', '--question', asked[0].id)

  assert.deepEqual(each([unnamed, first, second], 'code'), [42, 10, 0])
})

test('[A98] troupe run stops with every question and every plan told, and goes on when the last question is answered', async (t) => {
  const account = await accountWith(t, [questions, { text: 'Done.' }])
  const asked = await account.troupe('run', 'clean up', '--json')
  const { run_id, questions: told, answers } = JSON.parse(asked.stdout)

  const first = await account.troupe('run', '--resume', run_id, '--question', told[1].id, '--answer', 'tabs', '--json')
  const second = await account.troupe('run', '--resume', run_id, '--answer', 'keep', '--json')

  assert.deepEqual(each([asked, first, second], 'code'), [10, 10, 0])
  assert.equal(JSON.parse(first.stdout).question.content.question, 'Drop the table?')
  assert.match(answers[1].answer_with, new RegExp(`--question ${told[1].id} --answer tabs`))
  const planned = await account.troupe(
    'run',
    'which way?',
    '--role',
    'planner',
    '--model',
    await account.script({ replies: [plans] }),
    '--json',
  )
  assert.deepEqual(
    JSON.parse(planned.stdout).plans.map((plan: { content: { goal: string } }) => plan.content.goal),
    ['The safe way', 'The risky way'],
  )
})

test('[P67] in a terminal yes, y and approve grant a call that asks, no and n refuse it, and neither is a message', async (t) => {
  const remove = { calls: [{ tool: 'delete_file', input: { path: 'old.txt' } }] }
  const run = async (word: string) => {
    const account = await accountWith(t, [remove, { text: 'Done.' }])
    await account.write('project/old.txt', 'x')
    const { code } = await runTroupe(['chat', '--role', 'actor'], at(account), `remove it\n${word}\n`)
    return [code, existsSync(join(account.project, 'old.txt'))]
  }

  const ended = [await run('yes'), await run('y'), await run('Approve'), await run('no'), await run('N')]

  assert.deepEqual(ended, [
    [0, false],
    [0, false],
    [0, false],
    [0, true],
    [0, true],
  ])
})

test('[P67] a yes that a question has no answer for is refused, and the question waits on', async (t) => {
  const account = await accountWith(t, [{ text: JSON.stringify(asking('Which?', { left: 'Left', right: 'Right' })) }])

  const { stderr } = await runTroupe(['chat', '--role', 'actor'], at(account), 'go\nyes\n')

  const [{ needs_you }] = JSON.parse((await account.troupe('chat', 'list', '--json')).stdout).chats
  assert.match(stderr, /answer with a number/)
  assert.equal(needs_you, true)
})

async function accountWith(t: TestContext, replies: readonly unknown[]): Promise<Account> {
  const account = await anAccount(t)
  await account.write('.config/troupe/config.yaml', `model: ${await account.script({ follow: 'thread', replies })}\n`)
  return account
}

function at({ project: cwd, env }: Account) {
  return { cwd, env }
}
