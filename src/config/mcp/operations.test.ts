import assert from 'node:assert/strict'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { testServerSettings, type TestBehaviour } from '../../outside/test-servers.ts'
import { detectSandbox } from '../../sandbox/detect.ts'
import { testFolder, type Cleanup } from '../../sandbox/test-folder.ts'
import type { ServersContext } from './context.ts'
import { changeUserFile } from '../settings.ts'
import { serverOperations } from './operations.ts'

const skip = (await detectSandbox()).kind === 'none' && 'there is no sandbox here'
const [listServers, addServer, removeServer, reviewServer, classTool] = serverOperations

test('[M113] a server is added with its tools, classed, listed with the roles that may call them, and removed', { skip }, async (t) => {
  const { context, home } = await aUser(t)

  const added = await perform(addServer, context, adding({ tools: [{ name: 'count' }, { name: 'echo' }] }))
  const classed = await perform(classTool, context, { name: 'test', may: 'read', tool: 'count' })
  const listed = await perform(listServers, context, {})
  await perform(removeServer, context, { name: 'test' })

  const [count, echo] = classed.tools
  assert.deepEqual(
    added.tools.map((tool) => [tool.called, tool.class, tool.asks !== null]),
    [
      ['mcp__test__count', 'anything', true],
      ['mcp__test__echo', 'anything', true],
    ],
  )
  assert.deepEqual([count?.class, count?.roles.includes('planner'), echo?.roles.includes('planner')], ['read', true, false])
  assert.deepEqual([listed.servers[0]?.state, (await perform(listServers, context, {})).servers], ['ready', []])
  assert.deepEqual(await readdir(join(home, 'mcp')), [])
})

test(
  '[M113] a server that cannot be started, is there already or has a bad name is not added, and a dry run changes nothing',
  { skip },
  async (t) => {
    const { context, home } = await aUser(t)

    const codes = [
      await codeOf(perform(addServer, context, adding({ exit: 1 }))),
      await codeOf(perform(addServer, context, { ...adding({}), name: 'a__b' })),
      await codeOf(perform(addServer, context, { name: 'test' })),
      await codeOf(perform(addServer, context, { ...adding({}), url: 'https://example.org/mcp' })),
    ]
    const dry = await perform(addServer, { ...context, dry: true }, adding({ tools: [{ name: 'count' }] }))
    const left = await readdir(home)
    await perform(addServer, context, adding({}))
    codes.push(await codeOf(perform(addServer, context, adding({}))))
    codes.push(await codeOf(perform(reviewServer, context, { name: 'tset' })))

    assert.deepEqual(codes, ['provider_failed', 'bad_input', 'bad_input', 'bad_input', 'conflict', 'not_found'])
    assert.deepEqual([dry.tools.map(({ name }) => name), left], [['count'], []])
  },
)

test('[M109] a review shows what is new, changed and gone, and accepts exactly what it has shown', { skip }, async (t) => {
  const { context } = await aUser(t)
  await perform(addServer, context, adding({ tools: [{ name: 'count' }, { name: 'old' }] }))
  const become = (behaviour: TestBehaviour) =>
    changeUserFile(context, (document) => document.setIn(['mcp_servers', 'test', 'args'], testServerSettings(behaviour).args ?? []))
  await become({ tools: [{ name: 'count', description: 'more' }, { name: 'new' }] })

  const shown = await perform(reviewServer, context, { name: 'test' })
  const before = (await perform(listServers, context, {})).servers[0]?.tools.map(({ name }) => name)
  const other = await codeOf(perform(reviewServer, context, { name: 'test', accept: 'another' }))
  const accepted = await perform(reviewServer, context, { name: 'test', accept: shown.digest })
  const after = (await perform(listServers, context, {})).servers[0]?.tools.map(({ name }) => name)

  assert.deepEqual(shown.changes.map(({ name, what }) => `${what} ${name}`).toSorted(), ['changed count', 'gone old', 'new new'])
  assert.deepEqual([shown.accepted, before, other, accepted.accepted, after], [false, ['count', 'old'], 'conflict', true, ['count', 'new']])
})

test('[M114] what a server says of its tools is shown without control characters, and not all of it', { skip }, async (t) => {
  const { context } = await aUser(t)

  const { tools } = await perform(
    addServer,
    context,
    adding({ tools: [{ name: 'count', description: `a\u001b[2Jb\u202e${'x'.repeat(5000)}` }] }),
  )

  assert.match(tools[0]?.description ?? '', /^abx{500,600}$/)
})

function adding(behaviour: TestBehaviour) {
  const { command, args, mounts } = testServerSettings(behaviour)
  return { name: 'test', command: [command, ...(args ?? [])], mounts }
}

async function aUser(t: Cleanup): Promise<{ context: ServersContext; home: string }> {
  const folder = await testFolder(t)
  const [home, cwd] = [join(folder, 'home'), join(folder, 'project')]
  await Promise.all([mkdir(home), mkdir(cwd)])
  return { home, context: { env: { TROUPE_HOME: home, PATH: process.env['PATH'] }, cwd } }
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )
}
