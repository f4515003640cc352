import assert from 'node:assert/strict'
import { test } from 'node:test'
import { detectSandbox } from '../sandbox/detect.ts'
import { testFolder } from '../sandbox/test-folder.ts'
import { serverSession } from './session.ts'
import { aReviewedServer, officialServer, placeIn, testServerSettings } from './test-servers.ts'

const skip = (await detectSandbox()).kind === 'none' && 'there is no sandbox here'

test('[M124] resources and prompts of a server are listed and read by one tool of it', { skip }, async (t) => {
  const server = await aReviewedServer(t, officialServer('everything'))
  const tool = server.reviewed?.tools.find(({ name }) => name === 'resources')
  assert.ok(tool)
  const session = serverSession()
  t.after(() => session.end())
  const place = await placeIn(await testFolder(t))
  const read = async (input: object) => {
    const { content } = await session.call({ server, tool, input, place, signal: new AbortController().signal })
    return content.map((part) => (part.type === 'text' ? part.text : part.type === 'resource' ? part.resource.uri : part.type)).join('\n')
  }

  const list = await read({})
  const uri = /^resource (\S+): /m.exec(list)?.[1] ?? ''

  assert.match(list, /^prompt simple-prompt\(\)/m)
  assert.equal(await read({ uri }), uri)
  assert.match(await read({ prompt: 'args-prompt', arguments: { city: 'Paris' } }), /Paris/)
  await assert.rejects(read({ uri: 'none://at-all' }), { code: 'provider_failed' })
})

test('[M124] a server that offers nothing to read has no such tool, and one with a tool of that name keeps it', { skip }, async (t) => {
  const [none, own] = [
    await aReviewedServer(t, testServerSettings({ tools: [{ name: 'echo' }] })),
    await aReviewedServer(t, testServerSettings({ tools: [{ name: 'resources', description: 'Mine.' }] })),
  ]

  assert.deepEqual(
    [none, own].map(({ reviewed }) => reviewed?.tools.map(({ description }) => description)),
    [[''], ['Mine.']],
  )
})
