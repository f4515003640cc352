import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { unbounded, type Bounds } from '../domain/bounds.ts'
import { networkPolicy } from '../domain/network/policy.ts'
import { each } from '../domain/test-each.ts'
import { detectSandbox } from '../sandbox/detect.ts'
import { testFolder } from '../sandbox/test-folder.ts'
import { plans, runs } from '../store/run-tables.ts'
import { outsideAgentModel, type OutsideAgent } from './outside.ts'
import { goneHolder, outcomesOf, testAgent } from './test-agent.ts'

test('[A81] an outside agent gets the composed prompt and its output is read like any other answer', async (t) => {
  const plan = { goal: 'Say hello', steps: [{ step_number: 1, action: 'Create hello.txt' }] }
  const script = `grep -q "PLANNER role" && echo 'I thought.' && echo '${JSON.stringify(plan)}'`
  const scene = await withOutside(t, { command: '/bin/sh', args: ['-c', script] })

  const run = await scene.play({ agent_role: 'planner' })

  assert.equal(run.status, 'completed')
  assert.equal((await plans.list(scene.agent.driver, { where: { thread_id: run.thread_id } })).length, 1)
})

test('[A82] an outside agent can do to files what its role can do, and no more', async (t) => {
  const script = 'echo changed > "$1/a.txt"; echo "$2" | head -c 4'
  const scene = await withOutside(t, { command: '/bin/sh', args: ['-c', script, 'sh', '{workspace}', '{prompt}'] })
  await writeFile(join(scene.workspace, 'a.txt'), 'as it was\n')

  const planner = await scene.play({ agent_role: 'planner' })
  const tester = await scene.play({ agent_role: 'tester' })
  const after = await readFile(join(scene.workspace, 'a.txt'), 'utf8')
  const actor = await scene.play({ agent_role: 'actor' })

  assert.deepEqual([planner.status, tester.status, actor.status], ['completed', 'completed', 'completed'])
  assert.deepEqual([after, await readFile(join(scene.workspace, 'a.txt'), 'utf8')], ['as it was\n', 'changed\n'])
})

test('[A82] an outside agent finds its own folders and variables, and the prompt in a file', async (t) => {
  const scene = await withOutside(t, {
    command: '/bin/sh',
    args: ['-c', 'cat "$0" && echo "$TOKEN" && echo kept > "$1/settings"', '{prompt_file}', 'FOLDER'],
    env: { TOKEN: 'a token' },
  })

  const run = await scene.play({ prompt: 'the very prompt' })

  const reply = (await scene.thread(run)).at(-1)
  assert.ok(reply?.from === 'assistant' && reply.text.includes('the very prompt') && reply.text.endsWith('a token'))
  assert.ok(existsSync(join(scene.own, 'settings')))
})

test('[A83] an outside agent that fails, is missing or takes too long ends the run with the reason', async (t) => {
  const failing = await withOutside(t, { command: '/bin/sh', args: ['-c', 'seq 100 >&2; echo out of credit >&2; exit 3'] })
  const missing = await withOutside(t, { command: 'no-such-agent', args: ['{prompt}'] })
  const slow = await withOutside(t, { command: '/bin/sleep', args: ['60'] })

  const ended = [await failing.play(), await missing.play(), await slow.play({ limits: { max_wall_ms: 500 } })]

  assert.deepEqual(each(ended, 'reason'), ['provider_failed', 'bad_input', 'budget'])
  const [failed] = ended
  const note = failed && (await failing.thread(failed)).at(-1)
  assert.match(JSON.stringify(note), /ended with 3: 92\\n.*100\\nout of credit/)
})

test('[A83] an outside agent that was cut off is told so when the run goes on', async (t) => {
  const scene = await withOutside(t, { command: '/bin/sh', args: ['-c', 'grep -o "An earlier attempt was cut off"'] })
  const held = await scene.start()
  await runs.replace(scene.agent.driver, held, { ...held.item, holder: goneHolder() })

  const run = await scene.resume(held.item.id)

  assert.equal(run.status, 'completed')
  assert.deepEqual(outcomesOf(await scene.thread(run)), ['user', 'note error', 'assistant'])
})

test('[N23] an outside agent with a list reaches its own hosts and what settings and role both allow, and is told whom it was refused', async (t) => {
  const hosts = ['api.model.example', 'packages.example', 'other.example', 'else.example']
  const settings = {
    command: '/bin/bash',
    args: ['-c', CONNECTS, 'bash', ...hosts],
    network: networkPolicy(['api.model.example:443']),
    commandNetwork: networkPolicy(['packages.example', 'other.example']),
  }
  const answerOf = async (network: Bounds['network']) => {
    const scene = await withOutside(t, settings, { ...unbounded, network })
    return JSON.stringify((await scene.thread(await scene.play())).at(-1))
  }

  const notes = [await answerOf('off'), await answerOf(['packages.example', 'else.example']), await answerOf('on')]

  const answers = notes.map((note) => /\[(.*?)\]/.exec(note)?.[1])
  // 502: it may be reached, and there is no such host.
  assert.deepEqual(answers, ['502 403 403 403', '502 502 403 403', '502 502 502 403'])
  assert.match(notes[2] ?? '', /else\.example:443.*agents\.outsider\.network/)
})

/** Asks the proxy for a tunnel to each host, says what it answered, and fails. */
const CONNECTS = `
  token=$(printf %s "$HTTPS_PROXY" | sed 's,http://,,; s,@.*,,' | base64 -w0)
  for host; do
    exec 3<>/dev/tcp/127.0.0.1/3128
    printf 'CONNECT %s:443 HTTP/1.1\\r\\nProxy-Authorization: Basic %s\\r\\n\\r\\n' "$host" "$token" >&3
    read -r _ status _ <&3
    all="$all $status"
    exec 3>&-
  done
  echo "[\${all# }]" >&2; exit 1`

test('[S31] a prompt that a killed process left behind is removed by the next one', async (t) => {
  const scene = await withOutside(t, { command: '/bin/sh', args: ['-c', 'echo "$0"', '{prompt_file}'] })
  const used = await scene.play()
  const reply = (await scene.thread(used)).at(-1)
  const made = basename(dirname(reply?.from === 'assistant' ? reply.text : ''))
  const left = join(tmpdir(), made.replace(`-${process.pid}-`, '-4194305-')) // no process has this number
  await mkdir(left)
  t.after(() => rm(left, { recursive: true, force: true }))

  await scene.play()

  assert.equal(existsSync(left), false)
})

/** A run played by a program; `FOLDER` in its arguments is the folder it keeps its own things in. */
async function withOutside(t: TestContext, over: Pick<OutsideAgent, 'command' | 'args'> & Partial<OutsideAgent>, bounds?: Bounds) {
  const own = await testFolder(t)
  const sandbox = await detectSandbox()
  const args = over.args.map((arg) => (arg === 'FOLDER' ? own : arg))
  const outside: OutsideAgent = { name: 'outsider', env: {}, mounts: [own], ...over, args }
  const scene = await testAgent(t, [], {
    sandbox,
    chosenModelFor: async (run) => outsideAgentModel(outside, { ...run, bounds: bounds ?? run.bounds }, sandbox),
  })
  return { ...scene, own }
}
