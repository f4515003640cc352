import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goneHolder, plainGround } from '../agent/test-agent.ts'
import type { Driver } from '../store/driver.ts'
import { runs } from '../store/tables.ts'
import { answerInChat, continueChat } from './continue.ts'
import { chatNeeds } from './needs.ts'
import { openChatContext } from './context.ts'
import { aQuestion, testStage } from './test-chat.ts'

const ask = { tool: 'ask_user', input: aQuestion }

test('[P22] a process that dies as soon as an answer is stored leaves a turn that can be carried on', async (t) => {
  const { context, chat, quiet, agent, say } = await testStage(t, 'actor', [{ text: JSON.stringify(aQuestion) }, { text: 'Tests stay.' }])
  const [asked = assert.fail()] = (await say('rename it')).questions
  const dying = openChatContext(plainGround({ ...agent, driver: afterOneTransaction(agent.driver) }))

  await answerInChat.run(dying, { chat: chat.id, question: asked.id, value: 'no' }).catch(() => undefined)
  await dying.playing.get(chat.id)?.done
  const { run } = await quiet()
  assert.ok(run)
  await runs.replace(agent.driver, await runs.get(agent.driver, run.id), { ...run, holder: goneHolder() })
  const needs = await chatNeeds(agent.driver)
  await continueChat.run(context, { chat: chat.id })

  assert.deepEqual([run.status, needs.map(({ kind }) => kind)], ['running', ['run']])
  assert.equal((await quiet()).run?.status, 'completed')
})

test('[P7] of two questions asked at once the second may be answered first; the run goes on after both', async (t) => {
  const { context, chat, quiet, say } = await testStage(t, 'actor', [{ calls: [ask, ask] }, { text: 'Done.' }])
  const { run, questions } = await say('rename it')
  const second = questions.find(({ id }) => id !== run?.question_id)
  assert.ok(run?.question_id && second)

  await answerInChat.run(context, { chat: chat.id, question: second.id, value: 'yes' })
  const between = await quiet()
  await answerInChat.run(context, { chat: chat.id, question: run.question_id, value: 'no' })

  assert.deepEqual([between.run?.status, between.needs_you], ['waiting', true])
  assert.equal((await quiet()).run?.status, 'completed')
})

async function killed(): Promise<never> {
  throw new Error('killed')
}

/** A store that is out of reach once it has stored one thing, as it is for a process that was killed. */
function afterOneTransaction(driver: Driver): Driver {
  let used = false
  return {
    ...driver,
    query: (...args) => (used ? killed() : driver.query(...args)),
    transaction: async (work) => {
      if (used) return killed()
      const done = await driver.transaction(work)
      used = true
      return done
    },
  }
}
