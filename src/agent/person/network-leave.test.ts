import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { networkPolicy, type NetworkSetting } from '../../domain/network/policy.ts'
import { loadRoles } from '../../roles/load.ts'
import { closedSet } from '../../roles/roles.ts'
import type { SandboxState } from '../../sandbox/sandbox.ts'
import { kindsHere } from '../../sandbox/test-actor.ts'
import { openTestStore } from '../../store/test-store.ts'
import { questions } from '../../store/run-tables.ts'
import type { AgentContext } from '../agent.ts'
import { testAgent } from '../test-agent.ts'
import { answerQuestion } from './answer.ts'
import { rowsOf } from '../../domain/test-each.ts'
import { hostOperations } from '../settled-hosts.ts'
import { commandSettingsWith } from '../../sandbox/test-command-settings.ts'

const [listHosts, revokeHost] = hostOperations

const [kind] = await kindsHere()
const skip = kind === undefined && 'needs a sandbox'
const sandbox: SandboxState = { kind: kind ?? 'namespaces' }

/** Asks for a tunnel, prints the answer of the proxy and fails: 403 is a refusal, 502 a host that is allowed and not there. */
const ask = { calls: [{ tool: 'execute_command', input: { command: `"${process.execPath}" -e '${asking()}'` } }] }

function asking(): string {
  return `
    const { HTTPS_PROXY } = process.env
    const { port, username, password } = new URL(HTTPS_PROXY)
    const token = Buffer.from(username + ":" + password).toString("base64")
    const socket = require("node:net").connect(+port, "127.0.0.1")
    socket.write("CONNECT a.invalid:443 HTTP/1.1\\r\\nHost: a.invalid\\r\\nProxy-Authorization: Basic " + token + "\\r\\n\\r\\n")
    socket.once("data", (head) => { console.log("answer " + String(head).split(" ")[1]); process.exit(1) })`
}

async function stage(t: TestContext, network: NetworkSetting, over: Partial<AgentContext> = {}) {
  const driver = over.driver ?? (await openTestStore(t))
  const made = await testAgent(t, [ask, ask, ask, { text: 'Done.' }], {
    driver,
    sandbox,
    commands: commandSettingsWith({ network: networkPolicy(network) }),
    ...over,
  })
  const pending = async (threadId: string) => (await questions.items(driver, { where: { thread_id: threadId, status: 'pending' } }))[0]
  const outputs = async (run: Parameters<typeof made.thread>[0]) =>
    (await made.thread(run)).flatMap((entry) => (entry.from === 'tool' ? [entry.output] : []))
  return { ...made, driver, pending, outputs }
}

test(
  '[N10] a command that failed for a refused host becomes a question about that host; the answer and the output reach the model',
  { skip },
  async (t) => {
    const { play, resume, driver, pending, outputs } = await stage(t, [])

    const waiting = await play()
    const asked = await pending(waiting.thread_id)
    await answerQuestion(driver, asked?.id ?? '', { value: 'run' }, 'ann', new Date())
    const ended = await resume(waiting.id)

    assert.equal(waiting.status, 'waiting')
    assert.deepEqual(asked?.network?.hosts, [{ host: 'a.invalid', port: 443 }])
    assert.deepEqual([asked.content.options.map(({ value }) => value), asked.content.default], [['once', 'run', 'project', 'never'], null])
    assert.equal(ended.status, 'completed')
    const [first, second, third] = await outputs(ended)
    assert.match(first ?? '', /answer 403[^]*refused: a\.invalid:443[^]*from now on/)
    assert.match(second ?? '', /answer 502/)
    assert.match(third ?? '', /answer 502/)
  },
)

test('[N10] once is for the next command alone', { skip }, async (t) => {
  const { play, resume, driver, pending, outputs } = await stage(t, [])

  const waiting = await play()
  await answerQuestion(driver, (await pending(waiting.thread_id))?.id ?? '', { value: 'once' }, 'ann', new Date())
  const again = await resume(waiting.id)

  assert.equal(again.status, 'waiting')
  const [, second, third] = await outputs(again)
  assert.match(second ?? '', /answer 502/)
  assert.match(third ?? '', /answer 403/)
})

test('[N10] an answer for the project holds in its later runs, and never is not asked again', { skip }, async (t) => {
  for (const [value, answer] of [
    ['project', 502],
    ['never', 403],
  ] as const) {
    const { play, resume, driver, pending, agent, workspace } = await stage(t, [])
    const first = await play()
    await answerQuestion(driver, (await pending(first.thread_id))?.id ?? '', { value }, 'ann', new Date())
    await resume(first.id)

    const later = await stage(t, [], { driver, sandbox: agent.sandbox })
    const here = await later.play({ workspace })
    const elsewhere = await later.play()

    assert.equal(here.status, 'completed')
    for (const output of await later.outputs(here)) assert.match(output, new RegExp(`answer ${answer}`))
    assert.notEqual(elsewhere.status, 'waiting') // the script is over
  }
})

test('[N20] what was settled for a project is listed and can be taken back, and is asked about again', { skip }, async (t) => {
  const { play, resume, driver, pending, agent, workspace } = await stage(t, [])
  const first = await play()
  await answerQuestion(driver, (await pending(first.thread_id))?.id ?? '', { value: 'project' }, 'ann', new Date())
  await resume(first.id)
  const context = { driver, root: workspace, now: () => new Date() }

  const { hosts } = await listHosts.run(context, {})
  const taken = await revokeHost.run(context, { host: 'a.invalid:443' })
  const again = await (await stage(t, [], { driver, sandbox: agent.sandbox })).play({ workspace })

  assert.deepEqual(rowsOf(hosts, 'host', 'port', 'allowed', 'by'), [['a.invalid', 443, true, 'ann']])
  assert.deepEqual([taken, (await listHosts.run(context, {})).hosts], [hosts[0], []])
  assert.equal(again.status, 'waiting')
  await assert.rejects(revokeHost.run(context, { host: 'a.invalid:443' }), { code: 'not_found' })
})

test('[N10] where nobody is asked the host is refused, and the answer says how it is allowed', { skip }, async (t) => {
  const { play, outputs } = await stage(t, [], { approvals: { tools: {}, never_ask: true } })

  const run = await play()

  assert.equal(run.status, 'completed')
  assert.match((await outputs(run))[0] ?? '', /answer 403[^]*sandbox\.network[^]*a\.invalid:443/)
})

test('[N11] a role reaches nobody unless its file says so, and nobody is asked to lift that', { skip }, async (t) => {
  const roles = await loadRoles({})
  const actor = roles.need('actor')
  const some = closedSet([{ ...actor, network: ['b.invalid'] }])
  const none = closedSet([{ ...actor, network: false }])

  const listed = await stage(t, ['a.invalid'], { roles: some })
  const silent = await stage(t, ['a.invalid'], { roles: none })
  const [ofListed, ofSilent] = [await listed.play(), await silent.play()]

  assert.deepEqual([ofListed.status, ofSilent.status], ['completed', 'completed'])
  assert.match((await listed.outputs(ofListed))[0] ?? '', /answer 403[^]*this role may not reach it/)
  assert.doesNotMatch((await silent.outputs(ofSilent))[0] ?? '', /answer/)
})
