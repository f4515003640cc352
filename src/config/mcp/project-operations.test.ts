import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { perform } from '../../domain/operation.ts'
import { testServerSettings, type TestBehaviour } from '../../outside/test-servers.ts'
import { detectSandbox } from '../../sandbox/detect.ts'
import { testFolder, type Cleanup } from '../../sandbox/test-folder.ts'
import { processesWith } from '../../sandbox/test-processes.ts'
import { loadConfig } from '../load.ts'
import { outsideServers } from '../wiring.ts'
import type { ServersContext } from './context.ts'
import { serverNotices } from './notices.ts'
import { serverOperations } from './operations.ts'

const skip = (await detectSandbox()).kind === 'none' && 'there is no sandbox here'
const [listServers, , removeServer, , classTool, trustServer, importServers] = serverOperations

test('[M117] a server of a project is listed and never started until the user trusts exactly its entry', { skip }, async (t) => {
  const { context, mounts, write } = await aProject(t)
  await write({ test: entryOf({ tools: [{ name: 'count' }] }) })

  const before = await perform(listServers, context, {})
  const used = async () => outsideServers(await loadConfig(context), context.env).map(({ name }) => name)
  const unused = await used()
  const notices = serverNotices(await loadConfig(context), context.env)
  const trusted = await perform(trustServer, context, { name: 'test', may: 'read', mounts, entry: before.servers[0]?.entry ?? '' })
  const inUse = await used()
  await write({ test: { ...entryOf({ tools: [{ name: 'count' }] }), env: { MORE: 'a' } } })
  const changed = await perform(listServers, context, {})

  assert.deepEqual([before.servers.map(({ name, state }) => `${name} ${state}`), unused], [['test untrusted'], []])
  assert.match(notices.join(), /not trusted them: test/)
  assert.deepEqual([trusted.tools[0]?.class, inUse], ['read', ['test']])
  assert.deepEqual([changed.servers[0]?.state, await used()], ['untrusted', []])
  assert.deepEqual(await processesWith('test-server.mjs\0{"tools":[{"name":"count"}]}'), [])
})

test('[M117] an entry that changed while it was looked at is not trusted, and one trusted is classed and given up', { skip }, async (t) => {
  const { context, mounts, write } = await aProject(t)
  await write({ test: entryOf({ tools: [{ name: 'count' }] }) })

  const other = await codeOf(perform(trustServer, context, { name: 'test', mounts, entry: 'another' }))
  await perform(trustServer, { ...context, dry: true }, { name: 'test', mounts })
  const dry = (await perform(listServers, context, {})).servers[0]?.state
  await perform(trustServer, context, { name: 'test', mounts })
  const classed = await perform(classTool, context, { name: 'test', may: 'read', tool: 'count' })
  await perform(removeServer, context, { name: 'test' })

  assert.deepEqual([other, dry, classed.tools[0]?.class], ['conflict', 'untrusted', 'read'])
  assert.equal((await perform(listServers, context, {})).servers[0]?.state, 'untrusted')
})

test('[M117] the user’s own server counts where the project names another like it', { skip }, async (t) => {
  const { context, mounts, write, home } = await aProject(t)
  await writeFile(join(home, 'config.yaml'), 'mcp_servers:\n  test:\n    command: mine\n')
  await write({ test: entryOf({}) })

  const refused = await codeOf(perform(trustServer, context, { name: 'test', mounts }))

  assert.deepEqual([refused, (await perform(listServers, context, {})).servers.map(({ from }) => from)], ['conflict', ['user', 'project']])
})

test('[M118] a hostile .mcp.json starts nothing, hides nothing and keeps nobody waiting', async (t) => {
  const { context, root, write } = await aProject(t)
  const file = join(root, '.mcp.json')
  const listed = async () => {
    const { servers, faults } = await perform(listServers, context, {})
    return { names: servers.map(({ name }) => name), faults: faults.length }
  }

  await writeFile(file, '{ broken')
  const broken = await listed()
  await write({
    a__b: { command: 'x' },
    '../up': { command: 'x' },
    both: { command: 'x', url: 'https://example.org' },
    none: {},
    number: 7,
  })
  const unfit = await listed()
  await write({ good: { command: 'x' }, 'bad name': { command: 'x' } })
  const mixed = await listed()
  await writeFile(file, ' '.repeat(300_000))
  const large = await listed()
  execFileSync('rm', [file])
  await symlink('/etc/passwd', file)
  const link = await listed()
  execFileSync('rm', [file])
  execFileSync('mkfifo', [file])
  const pipe = await listed()

  assert.deepEqual(
    [broken, unfit, mixed],
    [
      { names: [], faults: 1 },
      { names: [], faults: 5 },
      { names: ['good'], faults: 1 },
    ],
  )
  assert.deepEqual(
    [large, link, pipe],
    Array.from({ length: 3 }, () => ({ names: [], faults: 1 })),
  )
})

test('[M118] what an entry wants of the user’s variables is shown before it is trusted', async (t) => {
  const { context, write } = await aProject(t)
  await write({ test: { command: '${SHELL:-sh}', args: ['--key', '${API_KEY}'], env: { URL: 'https://${HOST}/' } } })

  const { servers } = await perform(listServers, { ...context, env: { ...context.env, API_KEY: 'secret-value' } }, {})

  assert.deepEqual(servers[0]?.sees.toSorted(), ['API_KEY', 'HOST', 'SHELL', 'URL'])
  assert.doesNotMatch(JSON.stringify(servers), /secret-value/)
})

test('[M119] servers of Claude Code and Codex are offered, taken over without their secrets, and reviewed before use', async (t) => {
  const { context, home, root } = await aProject(t)
  const claude = {
    mcpServers: { github: { command: 'github-mcp', args: ['--fast'], env: { GITHUB_TOKEN: 'ghp-a-secret-value', MODE: 'all' } } },
    projects: { [root]: { mcpServers: { local: { url: 'https://example.org/mcp', headers: { Authorization: 'Bearer x' } } } } },
  }
  await writeFile(join(home, '.claude.json'), JSON.stringify(claude))
  await mkdir(join(home, '.codex'))
  await writeFile(join(home, '.codex/config.toml'), '[mcp_servers.docs]\ncommand = "docs-mcp"\n')

  const offered = await perform(importServers, context, { from: 'claude' })
  await perform(importServers, context, { from: 'claude', names: ['github'] })
  await perform(importServers, context, { from: 'codex', names: ['docs'] })
  const codes = [
    await codeOf(perform(importServers, context, { from: 'codex', names: ['docs'] })),
    await codeOf(perform(importServers, context, { from: 'codex', names: ['none'] })),
  ]

  const { config } = await loadConfig(context)
  assert.deepEqual(
    offered.servers.map(({ name, imported }) => [name, imported]),
    [
      ['github', false],
      ['local', false],
    ],
  )
  const { command, args, env, variables } = config.mcp_servers['github'] ?? {}
  assert.deepEqual([command, args, env, variables], ['github-mcp', ['--fast'], ['GITHUB_TOKEN'], { MODE: 'all' }])
  assert.deepEqual(
    [Object.keys(config.mcp_servers), codes],
    [
      ['github', 'docs'],
      ['conflict', 'not_found'],
    ],
  )
  assert.match(serverNotices(await loadConfig(context), context.env).join(), /before you have reviewed them: github, docs/)
})

function entryOf(behaviour: TestBehaviour) {
  const { command, args } = testServerSettings(behaviour)
  return { command, args }
}

async function aProject(t: Cleanup) {
  const folder = await testFolder(t)
  const [home, root] = [join(folder, 'home'), join(folder, 'project')]
  await Promise.all([mkdir(home), mkdir(root)])
  const context: ServersContext = { env: { TROUPE_HOME: home, HOME: home, PATH: process.env['PATH'] }, cwd: root }
  const write = (mcpServers: Record<string, unknown>) => writeFile(join(root, '.mcp.json'), JSON.stringify({ mcpServers }))
  return { context, home, root, write, mounts: testServerSettings({}).mounts ?? [] }
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  )
}
