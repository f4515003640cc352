import assert from 'node:assert/strict'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { anAccount } from '../../src/cli/test-account.ts'
import { startModelServer } from '../model-server.ts'
import { agentsFolder, programOf, realAgents, whyNot, writesOnce, type RealAgent } from './programs.ts'

for (const agent of realAgents) {
  test(`[E40] ${agent.name} changes a file as actor, and as tester and planner the same attempt leaves no trace`, async (t) => {
    const reason = whyNot(agent)
    if (reason !== undefined) return t.skip(reason)

    const results = []
    for (const role of ['actor', 'tester', 'planner']) {
      const account = await withReal(t, agent)
      const { code, stdout, stderr } = await account.troupe(
        'run',
        'Write made.txt',
        '--model',
        `agent/${agent.name}`,
        '--role',
        role,
        '--json',
      )
      assert.equal(code, 0, stderr)
      results.push({ role, files: await readdir(account.project), text: JSON.parse(stdout).text })
      if (role === 'actor') assert.equal(await readFile(join(account.project, 'made.txt'), 'utf8'), 'made')
    }

    assert.deepEqual(
      results.map(({ role, files }) => [role, files]),
      [
        ['actor', ['made.txt']],
        ['tester', []],
        ['planner', []],
      ],
    )
  })
}

async function withReal(t: TestContext, agent: RealAgent) {
  const account = await anAccount(t)
  const path = join(account.project, 'made.txt')
  const server = await startModelServer({ replies: writesOnce(agent.write(path, 'made')) })
  t.after(() => server.close())
  const files = Object.entries(agent.files(server.url))
  for (const [name, text] of files) await account.write(name, text)
  await mkdir(join(account.home, '.config/troupe'), { recursive: true })
  const folders = [...new Set(files.map(([name]) => join(account.home, name.startsWith('.claude.json') ? name : dirname(name))))]
  const settings = {
    protocol: 'acp',
    command: programOf(agent),
    args: agent.args,
    env: [...agent.env(server.url)],
    mounts: [agentsFolder, ...folders],
  }
  await account.write('.config/troupe/config.yaml', JSON.stringify({ agents: { [agent.name]: settings } }))
  return { ...account, server }
}
