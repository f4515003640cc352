import assert from 'node:assert/strict'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import { Problem } from '../domain/problem.ts'
import { testFolder } from '../sandbox/test-folder.ts'
import { loadConfig, type LoadedConfig } from './load.ts'

test('[C20] without files or environment every value is a default and the home follows the convention', async (t) => {
  const { load, home } = await aMachine(t)

  const { config, places, settings } = await load()

  assert.equal(config.port, 4747)
  assert.equal(places.home, join(home, '.local/share/troupe'))
  assert.ok(settings.every(({ source }) => source === 'default'))
})

test('[C20] a flag beats the environment, which beats the project, which beats the user', async (t) => {
  const { load, user, project } = await aMachine(t)
  await user('model: a/user\nport: 1001\nstore: sqlite:/tmp/user.db\n')
  const projectFile = await project('model: b/project\n')

  const { config, settings } = await load({ TROUPE_PORT: '1002', TROUPE_STORE: 'sqlite:/tmp/env.db' }, { port: 1003 })

  assert.deepEqual([config.model, config.port, config.store], ['b/project', 1003, 'sqlite:/tmp/env.db'])
  assert.equal(sourceOf(settings, 'model'), `${projectFile}:1`)
  assert.equal(sourceOf(settings, 'port'), '--port')
  assert.equal(sourceOf(settings, 'store'), 'TROUPE_STORE')
})

test('[C21] a wrong value is refused with file, line, field, what came and what fits', async (t) => {
  const { load, user } = await aMachine(t)
  const file = await user('model: a/b\nlimits:\n  max_turns: many\n')

  const refused = await refusal(load())

  assert.equal(refused.message, `${file}:3: limits.max_turns is "many"; expected a number`)
})

test('[C21] an unknown key, a pasted key, a broken file and an alias are refused with their place', async (t) => {
  const { load, user } = await aMachine(t)
  const messageFor = async (text: string) => {
    const file = await user(text)
    return (await refusal(load())).message.replace(file, 'FILE')
  }

  const messages = [
    await messageFor('modle: a/b\n'),
    await messageFor('providers:\n  mine:\n    api_key_env: sk-123\n'),
    await messageFor('model: [a\n'),
    await messageFor('a: &x 1\nmodel: *x\n'),
    await messageFor('- a list\n'),
    await messageFor('port: 70000\napprovals:\n  delete_fil: deny\n'),
    await messageFor('approvals:\n  delete_fil: deny\n'),
  ]

  assert.match(messages[0] ?? '', /^FILE:1: modle .*did you mean model\?$/)
  assert.match(
    messages[1] ?? '',
    /^FILE:3: providers\.mine\.api_key_env is "sk-123"; expected the name of an environment variable, never the key itself/,
  )
  assert.match(messages[2] ?? '', /^FILE:\d: not valid YAML/)
  assert.match(messages[3] ?? '', /^FILE:1: not valid YAML: .*; expected plain YAML without aliases/)
  assert.match(messages[4] ?? '', /^FILE:1: the configuration is \["a list"\]; expected an object/)
  assert.match(messages[5] ?? '', /^FILE:1: port is 70000; expected at most 65535$/)
  assert.match(messages[6] ?? '', /^FILE:2: there is no tool delete_fil; did you mean delete_file\?$/)
})

test('[C22] a project may not widen: each attempt is refused with the place where it belongs', async (t) => {
  const { load, project, home } = await aMachine(t)
  const attempts = [
    'providers: { openai: { base_url: "https://evil.example/v1" } }',
    'agents: { x: { command: sh } }',
    'model: agent/claude',
    'model: scripted:.troupe/script.yaml',
    'model: replay:recording.json',
    'approvals: { delete_file: allow }',
    'sandbox: { network: true }',
    'sandbox: { network: on }',
    'sandbox: { unsandboxed: true }',
    'allowed_secrets: [.env]',
    'store: sqlite:/tmp/x.db',
    'port: 80',
    'limits: { max_cost_microusd: null }',
  ]

  const refusals = []
  for (const attempt of attempts) {
    await project(attempt)
    refusals.push((await refusal(load())).message)
  }

  for (const message of refusals)
    assert.ok(message.includes('a project may not set') && message.endsWith(join(home, '.config/troupe/config.yaml')), message)
})

test('[C22] what a project says can only make approvals, limits and the network tighter', async (t) => {
  const approval = fc.constantFrom('allow', 'ask', 'deny')
  const strictness = ['allow', 'ask', 'deny']
  const { load, user, project } = await aMachine(t)

  await fc.assert(
    fc.asyncProperty(
      approval,
      fc.constantFrom('ask', 'deny'),
      fc.integer({ min: 1, max: 300 }),
      fc.integer({ min: 1, max: 300 }),
      async (mine, theirs, most, wanted) => {
        await user(`approvals: { update_file: ${mine} }\nlimits: { max_turns: ${most} }\nsandbox: { network: true }\n`)
        await project(`approvals: { update_file: ${theirs} }\nlimits: { max_turns: ${wanted} }\nsandbox: { network: false }\n`)
        const { config } = await load()

        assert.ok(
          strictness.indexOf(config.approvals['update_file'] ?? '') >= Math.max(strictness.indexOf(mine), strictness.indexOf(theirs)),
        )
        assert.equal(config.limits.max_turns, Math.min(most, wanted))
        assert.equal(config.sandbox.network, 'off')
      },
    ),
    { numRuns: 30 },
  )
})

test('[N3, C22] of the domains of a user and of a project those count that both name', async (t) => {
  const { load, user, project } = await aMachine(t)
  const layers = [
    ['[example.org, npm]', '["*.example.org", example.org:443, pypi]', ['example.org:443']],
    ['on', '[npm]', ['registry.npmjs.org:443', 'registry.yarnpkg.com:443']],
    ['off', '[npm]', 'off'],
    ['[npm]', 'off', 'off'],
    ['[a.org]', '[b.org]', []],
  ] as const

  const found = []
  for (const [mine, theirs] of layers) {
    await user(`sandbox: { network: ${mine} }`)
    await project(`sandbox: { network: ${theirs} }`)
    found.push((await load()).config.sandbox.network)
  }

  assert.deepEqual(
    found,
    layers.map(([, , wanted]) => wanted),
  )
})

test('[C23] any text as a file is either a configuration or a bad_input that names the file', async (t) => {
  const { load, user } = await aMachine(t)

  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.string({ unit: fc.constantFrom('a', ':', ' ', '\n', '-', '{', '}', '&', '*', '!', '"', '__proto__') }),
      ),
      async (text) => {
        const file = await user(text)
        const outcome = await load().catch((error: unknown) => error)

        assert.ok(
          !(outcome instanceof Error) ||
            (outcome instanceof Problem && outcome.code === 'bad_input' && outcome.message.includes(`${file}:`)),
          String(outcome),
        )
      },
    ),
    { numRuns: 150 },
  )
})

test('[C21] a configuration that is a device, a pipe or too large is refused before it is read', async (t) => {
  const { load, user } = await aMachine(t)
  const file = await user(`# ${'x'.repeat(300_000)}`)
  const tooLarge = await refusal(load())
  await rm(file)
  await symlink('/dev/null', file)

  const device = await refusal(load())

  assert.match(tooLarge.message, /is larger than 256 KiB/)
  assert.equal(device.message, `${file} is not a regular file; settings are a page of text`)
})

test('[C22] the settings of a project are not read through a link, which a command could turn elsewhere', async (t) => {
  const { load, project, home } = await aMachine(t)
  const file = await project('limits: { max_turns: 3 }')
  const folder = dirname(file)
  await rename(file, join(home, 'elsewhere.yaml'))
  await symlink(join(home, 'elsewhere.yaml'), file)
  const throughFile = await refusal(load())
  await rm(file)
  await rename(join(home, 'elsewhere.yaml'), file)
  await rename(folder, join(home, 'moved'))
  await symlink(join(home, 'moved'), folder)

  const throughFolder = await refusal(load())

  assert.equal(throughFile.message, `${file} is a symbolic link; a project's settings must be a file inside it`)
  assert.equal(throughFolder.message, `${folder} is a symbolic link; a project's settings must be a file inside it`)
})

test('[C21] a configured port that is no port is refused by the name of its variable', async (t) => {
  const { load } = await aMachine(t)

  const refused = await refusal(load({ TROUPE_PORT: '99999' }))

  assert.match(refused.message, /^TROUPE_PORT: port is 99999; expected at most 65535/)
})

async function aMachine(t: TestContext) {
  const home = await testFolder(t)
  const cwd = join(home, 'project')
  return {
    home,
    user: (text: string) => write(join(home, '.config/troupe/config.yaml'), text),
    project: (text: string) => write(join(cwd, '.troupe/config.yaml'), text),
    load: (env: Record<string, string> = {}, flags = {}) => loadConfig({ env: { HOME: home, ...env }, cwd, flags }),
  }
}

async function write(file: string, text: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text)
  return file
}

async function refusal(loading: Promise<LoadedConfig>): Promise<Problem> {
  const error = await loading.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (error instanceof Problem) return error
  throw new Error('The configuration was taken', { cause: error })
}

function sourceOf(settings: LoadedConfig['settings'], key: string): string | undefined {
  return settings.find((setting) => setting.key === key)?.source
}
