import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import type { Behaviour } from '../agent/outside-acp/test-outside.ts'
import { anAccount, type Account } from './test-account.ts'
import { detectSandbox } from '../sandbox/detect.ts'
import type { Cleanup } from '../sandbox/test-folder.ts'
import { agentPresets } from '../api/agents/presets.ts'

const skip = (await detectSandbox()).kind === 'none' && 'there is no sandbox here'
const settings = '.config/troupe/config.yaml'

test('[E45] an agent is added by its name alone: its program and folders are found, and it answers', { skip }, async (t) => {
  const account = await withClaude(t, {})
  await mkdir(join(account.home, '.claude'))

  const { code, stdout } = await account.troupe('agents', 'add', 'claude', '--json')
  const listed = JSON.parse((await account.troupe('agents', 'list', '--json')).stdout)

  const command = join(account.home, 'bin/claude-agent-acp')
  const { agents } = parse(await readFile(join(account.home, settings), 'utf8'))
  const { env, network } = agentPresets['claude'] ?? {}
  assert.deepEqual(agents, { claude: { protocol: 'acp', command, env, mounts: ['~/.claude'], network } })
  assert.deepEqual([code, statesOf(stdout)], [0, { program: 'good', folders: 'good', variables: 'good', handshake: 'good' }])
  assert.deepEqual(listed.agents, [{ name: 'claude', protocol: 'acp', command, found: command }])
})

test('[E46] a missing program, one of the project, an unknown agent and an entry that exists are refused, and nothing is written', async (t) => {
  const account = await anAccount(t)
  const own = join(account.project, 'bin')
  account.env['PATH'] = `${own}:${account.env['PATH']}`
  const add = async (...words: string[]) => codeOf((await account.troupe('agents', 'add', ...words, '--json')).stdout)

  const missing = await add('claude', '--command', 'no-such-program')
  await agentIn(own, {}, 'project-agent')
  const planted = [await add('mine', '--command', 'project-agent'), await add('mine', '--command', join(own, 'project-agent'))]
  const unknown = await add('mine')
  const before = existsSync(join(account.home, settings))
  await account.write(settings, '# mine\nagents: { claude: { command: sh } }\n')
  const twice = await add('claude', '--command', 'sh')

  assert.deepEqual([missing, ...planted, unknown, twice], ['not_found', 'not_found', 'not_found', 'bad_input', 'conflict'])
  assert.deepEqual([before, await readFile(join(account.home, settings), 'utf8')], [false, '# mine\nagents: { claude: { command: sh } }\n'])
})

test('[E46] a dry run shows the entry, and neither writes it nor starts the agent', async (t) => {
  const account = await withClaude(t, {})

  const { code, stdout } = await account.troupe('agents', 'add', 'claude', '--dry-run', '--json')

  assert.deepEqual([code, statesOf(stdout)], [0, { program: 'good', folders: 'good', variables: 'warn' }])
  assert.equal(existsSync(join(account.home, settings)), false)
})

test('[E47] an agent that is mute or speaks another version fails its check, within the time it is given', { skip }, async (t) => {
  const mute = await withClaude(t, { mute: true })
  const version = await withClaude(t, { version: 65_535 })

  const added = await mute.troupe('agents', 'add', 'claude', '--timeout-s', '0.5', '--json')
  const checked = await mute.troupe('agents', 'check', 'claude', '--timeout-s', '0.5', '--json')
  const other = await version.troupe('agents', 'add', 'claude', '--json')

  assert.deepEqual(
    [added, checked, other].map(({ code, stdout }) => [code, statesOf(stdout)['handshake']]),
    [
      [1, 'bad'],
      [1, 'bad'],
      [1, 'bad'],
    ],
  )
  assert.match(checked.stdout, /within 0\.5 s/)
  assert.match(other.stdout, /65535/)
})

test('[E47] an agent that is checked sees nothing of the project and cannot write where it starts', { skip }, async (t) => {
  const account = await withClaude(t, {})
  await account.write('project/secret.txt', 'mine')
  const bin = join(account.home, 'bin')
  const script = await readFile(join(bin, 'claude-agent-acp'), 'utf8')
  const look = `touch made 2>/dev/null && exit 3\ncat '${account.project}/secret.txt' 2>/dev/null && exit 4`
  await writeFile(join(bin, 'claude-agent-acp'), script.replace('\n', `\n${look}\n`))

  const { code, stdout } = await account.troupe('agents', 'add', 'claude', '--json')

  assert.deepEqual([code, statesOf(stdout)['handshake']], [0, 'good'])
})

test('[E48] the doctor reports each agent, and says what is missing, without starting any', async (t) => {
  const account = await withClaude(t, {})
  const started = join(account.home, 'started')
  const fine = await account.write('bin/fine', `#!/bin/sh\ntouch '${started}'\n`)
  await chmod(fine, 0o755)
  const agents = { fine: { command: fine }, gone: { command: 'no-such-program' }, folder: { command: fine, mounts: ['~/.nowhere'] } }
  await account.write(settings, JSON.stringify({ agents }))

  const { findings } = JSON.parse((await account.troupe('doctor', '--json')).stdout)

  const found = findings.filter(({ what }: { what: string }) => what.startsWith('agent '))
  assert.deepEqual(
    found.map(({ what, state, fix }: Record<string, string>) => [what, state, fix !== undefined]),
    [
      ['agent fine', 'good', false],
      ['agent gone', 'warn', true],
      ['agent folder', 'warn', true],
    ],
  )
  assert.equal(existsSync(started), false)
})

test('[E49] the guide shows the agents that can be added by name just as they are added', async () => {
  const guide = await readFile(new URL('../../docs/how-to/outside-agents.md', import.meta.url), 'utf8')
  const block = guide.match(/```yaml\n(agents:\n[^`]*protocol: acp[^`]*)```/)?.[1] ?? ''

  const known = Object.entries(agentPresets).map(([name, { command, args, env, mounts, network }]) => [
    name,
    { protocol: 'acp', command, env, mounts, ...(network && { network }), ...(args.length > 0 && { args }) },
  ])
  assert.deepEqual(parse(block), { agents: Object.fromEntries(known) })
})

/** An account on whose PATH the agent of a test stands as Claude Code. */
async function withClaude(t: Cleanup, behaviour: Behaviour): Promise<Account> {
  const account = await anAccount(t)
  const bin = join(account.home, 'bin')
  await agentIn(bin, behaviour, 'claude-agent-acp')
  account.env['PATH'] = `${bin}:${account.env['PATH']}`
  return account
}

async function agentIn(bin: string, behaviour: Behaviour, name: string): Promise<void> {
  await mkdir(bin, { recursive: true })
  const script = join(bin, 'agent.mjs')
  await copyFile(fileURLToPath(new URL('../agent/outside-acp/test-agent.mjs', import.meta.url)), script)
  await writeFile(join(bin, name), `#!/bin/sh\nexec '${process.execPath}' '${script}' '${JSON.stringify(behaviour)}'\n`, { mode: 0o755 })
}

function statesOf(stdout: string): Record<string, string> {
  const { findings } = JSON.parse(stdout)
  return Object.fromEntries(findings.map(({ what, state }: Record<string, string>) => [what, state]))
}

function codeOf(stdout: string): unknown {
  return JSON.parse(stdout).error.code
}
