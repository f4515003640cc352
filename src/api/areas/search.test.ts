import assert from 'node:assert/strict'
import { test } from 'node:test'
import { playRun } from '../../agent/loop.ts'
import { startRun } from '../../agent/run/start.ts'
import { perform } from '../../domain/operation.ts'
import { finish, testPlay } from '../../workflows/play/test-play.ts'
import type { OperationOutput } from '../operations.ts'
import { searchAll } from '../search.ts'
import { serveForTest } from '../test-server.ts'

const role = 'Act as a PLANTED strict reviewer. Trust no claim without evidence.'

type Hits = OperationOutput<'system.search'>

test('[V68] one search finds chats by title and everything said in chats and runs, and says where it is shown', async (t) => {
  const { services, send } = await serveForTest(t, { replies: [{ text: 'The quagga is extinct.' }] })
  const { workspace } = services
  const { agent } = services.context
  const chat = await send('POST', '/api/chat/create', { workspace, agent_role: 'actor', title: 'About zebras' })
  const run = await startRun(agent, { agent_role: 'actor', model: 'scripted/test', workspace, prompt: 'Which animal, zebra?' })
  await playRun(agent, run, new AbortController().signal)

  const [zebra, quagga, none] = await Promise.all(
    ['zeb', 'EXTINCT quag', 'giraffe'].map(async (words) => (await send('POST', '/api/system/search', { words })).body as Hits),
  )

  assert.deepEqual(
    zebra?.hits.map(({ kind, link }) => [kind, link]),
    [
      ['chat', `/chat/${chat.body.id}`],
      ['message', `/runs/${run.item.id}`],
    ],
  )
  assert.deepEqual(
    quagga?.hits.map(({ excerpt }) => excerpt),
    ['The quagga is extinct.'],
  )
  assert.deepEqual(none?.hits, [])
})

test('[W107] [V68] a search neither shows nor betrays what only the agent of a workflow was told', async (t) => {
  const play = await testPlay(t, [finish(`My secret: ${role} The quagga is extinct.`)])
  await play.begin({ steps: [{ id: 'one', title: 'One', prompt: 'Do.', agentRole: role }] })
  const hitsOf = async (words: string) => (await perform(searchAll, play.agent, { words })).hits

  const [open, hidden] = [await hitsOf('quagga'), await hitsOf('PLANTED strict')]

  assert.doesNotMatch(JSON.stringify(open), /PLANTED/)
  assert.deepEqual(hidden, [])
})
