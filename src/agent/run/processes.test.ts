import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testCheckpoints } from '../../checkpoints/test-settings.ts'
import { detectSandbox } from '../../sandbox/detect.ts'
import { processesWith } from '../../sandbox/test-processes.ts'
import { testFolder } from '../../sandbox/test-folder.ts'
import { until } from '../../sandbox/test-until.ts'
import { testWorkspace } from '../../sandbox/test-workspace.ts'
import { perform } from '../../domain/operation.ts'
import { answerQuestion } from '../person/answer.ts'
import { testAgent, type TestAgent } from '../test-agent.ts'
import { runFileOperations } from '../undo-run.ts'
import { stopPlaying, type Playing } from './background.ts'
import { stopRun } from './stop.ts'

const sandbox = await detectSandbox()
const skip = sandbox.kind === 'none' && 'there is no sandbox here'

/** Lives until it is ended; its command line holds the workspace, so that it can be found. */
const lasting = (more = '') => ({
  tool: 'execute_command',
  input: { command: `${more} sh -c "sleep 600; :" lasting "$PWD"`, background: 'dev' },
})
const deleting = { tool: 'delete_file', input: { path: 'gone.txt' } }
const looking = { tool: 'command_output', input: { name: 'dev' } }
const isAlive = async ({ workspace }: Pick<TestAgent, 'workspace'>) => (await processesWith(`lasting\0${workspace}`)).length > 0

test('[G72] a background command ends with its run', { skip }, async (t) => {
  const scene = await testAgent(t, [{ calls: [lasting()] }, { calls: [looking] }, { text: 'Done.' }], { sandbox })

  const run = await scene.play()

  const looks = (await scene.thread(run)).flatMap((entry) => (entry.from === 'tool' ? [entry.details['running']] : []))
  assert.deepEqual([run.status, looks, await isAlive(scene)], ['completed', [true, true], false])
})

test('[G72] a background command is over when stopping its run comes back', { skip }, async (t) => {
  const stop = new AbortController()
  const scene = await testAgent(t, [{ calls: [lasting()] }, { text: 'cut here', fail: 'cut', times: 99 }], {
    sandbox,
    onEvent: (event) => {
      if (event.type === 'delta') stop.abort()
    },
  })

  const run = await scene.play({}, stop.signal)

  assert.deepEqual([run.status, await isAlive(scene)], ['stopped', false])
})

test(
  '[G72] while its run waits for a person in a chat a background command goes on, and ends when the run is stopped',
  { skip },
  async (t) => {
    const playing: Playing = new Map()
    t.after(() => stopPlaying(playing))
    const replies = [{ calls: [lasting('touch gone.txt;'), deleting] }, { calls: [looking] }, { calls: [deleting] }]
    const scene = await testAgent(t, replies, { sandbox, lasting: playing })

    const waiting = await scene.play()
    const during = await isAlive(scene)
    await answerQuestion(scene.agent.driver, waiting.question_id ?? '', { value: 'refuse' }, 'user', new Date())
    const again = await scene.resume(waiting.id)
    const after = await isAlive(scene)
    await stopRun(scene.agent.driver, waiting.id, new Date())

    const look = (await scene.thread(again)).find((entry) => entry.from === 'tool' && entry.tool === 'command_output')
    assert.deepEqual([waiting.status, during, again.status, after], ['waiting', true, 'waiting', true])
    assert.ok(look?.from === 'tool' && look.details['running'] === true)
    assert.equal(await isAlive(scene), false)
  },
)

test('[G72] where nothing lasts beyond the run, and where its place closes, a waiting run keeps no command', { skip }, async (t) => {
  const playing: Playing = new Map()
  const replies = [{ calls: [lasting('touch gone.txt;'), deleting] }]
  const [headless, chat] = [await testAgent(t, replies, { sandbox }), await testAgent(t, replies, { sandbox, lasting: playing })]

  const statuses = [(await headless.play()).status, (await chat.play()).status]
  const headlessLives = await isAlive(headless)
  await stopPlaying(playing)

  assert.deepEqual([statuses, headlessLives, await isAlive(chat)], [['waiting', 'waiting'], false, false])
})

test('[G73] what a background command changes while other calls run is undone with its turn', { skip }, async (t) => {
  const checkpoints = await testCheckpoints(t)
  const command = 'echo 1 > a.txt; while [ ! -e go ]; do sleep 0.02; done; echo 2 > b.txt; rm kept.txt; touch done; sleep 600'
  const calls = [
    { tool: 'execute_command', input: { command, background: 'dev' } },
    { tool: 'create_file', input: { path: 'go', content: '' } },
    { tool: 'execute_command', input: { command: 'while [ ! -e done ]; do sleep 0.02; done' } },
  ]
  const scene = await testAgent(t, [{ calls: calls.slice(0, 1) }, { calls: calls.slice(1) }, { text: 'Done.' }], { sandbox, checkpoints })
  const create = { calls: [{ tool: 'create_file', input: { path: 'kept.txt', content: 'mine' } }] }
  const before = await testAgent(t, [create, { text: 'Done.' }], { checkpoints, driver: scene.agent.driver })
  const first = await before.play({ workspace: scene.workspace })
  const context = { driver: scene.agent.driver, checkpointsIn: async () => checkpoints, now: scene.agent.now }

  const run = await scene.play({ thread_id: first.thread_id })
  const made = ['a.txt', 'b.txt', 'go', 'kept.txt'].map((name) => existsSync(join(scene.workspace, name)))
  await perform(runFileOperations[1], context, { run: run.id })

  assert.deepEqual(made, [true, true, true, false])
  assert.deepEqual(
    ['a.txt', 'b.txt', 'go', 'done'].map((name) => existsSync(join(scene.workspace, name))),
    [false, false, false, false],
  )
  assert.equal(readFileSync(join(scene.workspace, 'kept.txt'), 'utf8'), 'mine')
})

test('[G72] when Troupe itself is killed, its background commands die with it', { skip }, async (t) => {
  const root = await testWorkspace(t)
  const env = { ...process.env, TMPDIR: await testFolder(t) } // a killed process leaves things there
  const troupe = spawn(process.execPath, ['--input-type=module', '-e', program(root)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(troupe.stdout, 'data')
  await until(() => isAlive({ workspace: root }))

  troupe.kill('SIGKILL')

  await until(async () => !(await isAlive({ workspace: root })))
})

/** Another process of ours that starts a command in the background, and goes on. */
function program(root: string): string {
  return `
    const { backgroundCommands } = await import(${at('../../tools/background/commands.ts')})
    const { runCommand } = await import(${at('../../sandbox/run-command.ts')})
    const argv = ['sh', '-c', 'sh -c "sleep 600; :" lasting "$PWD"']
    const command = { argv, root: ${JSON.stringify(root)}, access: 'change' }
    backgroundCommands().start('dev', 'sleep', (heard) => runCommand({ ...command, ...heard }, ${JSON.stringify(sandbox)}))
    process.stdout.write('started')
    setInterval(() => {}, 1000)`
}

function at(path: string): string {
  return JSON.stringify(new URL(path, import.meta.url).href)
}
