import assert from 'node:assert/strict'
import { test } from 'node:test'
import { plainGround } from '../../agent/test-agent.ts'
import { entries, workflowRunSteps } from '../../store/tables.ts'
import { openCatalogue, workflowFolders } from '../files/catalogue.ts'
import { openPlayContext } from './context.ts'
import { startPlay } from './start.ts'
import { bury, finish, mortal, testPlay, toTheEnd } from './test-play.ts'
import { findings, output } from '../test-built-in.ts'

test('[W36] [W81] every built-in workflow is played to its end by the agent, killed once on the way', async (t) => {
  const catalogue = await openCatalogue(workflowFolders('/nowhere', { HOME: '/nowhere' })).read()
  for (const entry of catalogue.entries.values()) {
    const play = await testPlay(t, [() => ({ ...finish(output, findings), repeat: true })])
    const { driver } = play.agent
    const { id } = await startPlay(play.context, entry, { workspace: play.workspace })
    const dying = openPlayContext(plainGround({ ...play.agent, driver: mortal(driver, 25) }))

    const killed = await toTheEnd(dying, id, { value: 'confirm' }).catch((error: unknown) => error)
    const before = await keysOf(id)
    await bury(driver)
    const { status } = await toTheEnd(play.context, id, { value: 'confirm' })

    const keys = await keysOf(id)
    const prompts = (await entries.items(driver, { where: { thread_id: id } })).filter(({ from }) => from === 'user').length
    assert.ok(killed instanceof Error && before.length > 0, `${entry.workflow.id} was not killed in the middle`)
    assert.deepEqual([status, keys.slice(0, before.length)], ['completed', before], entry.workflow.id)
    assert.deepEqual([new Set(keys).size, prompts], [keys.length, keys.length], `${entry.workflow.id} asked for a step twice`)

    async function keysOf(run_id: string): Promise<string[]> {
      return (await workflowRunSteps.items(driver, { where: { run_id }, order: ['number'] })).map(({ key }) => key)
    }
  }
  assert.ok(catalogue.entries.size >= 6)
})
