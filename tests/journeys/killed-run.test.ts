import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Entry } from '../../src/domain/entry.ts'
import { anAccount, launcher, type Account } from '../../src/cli/test-account.ts'
import { testFolder } from '../../src/sandbox/test-folder.ts'
import { entries, runs } from '../../src/store/tables.ts'
import { inStore } from '../../src/store/test-store.ts'

const KILLS = 30

/** About twice as many as are made in so many lives. */
const STEPS = 90

test('[A40] [A43] [G22] [G23] a run killed thirty times makes each change once and tells of each command that was cut off', async (t) => {
  const stage = await aStage(t)

  for (let kills = 0; kills < KILLS; kills++) await playAndKill(stage)
  await play(stage, async () => undefined)

  const { status, thread } = await outcomeOf(stage)
  assert.equal(status, 'completed')
  assert.deepEqual(await linesOf(stage, 'changed.txt'), stage.changes)
  for (const number of stage.made) assert.equal(await readFile(join(stage.account.project, `made-${number}.txt`), 'utf8'), String(number))
  const cutOff = await commandsCutOff(stage, thread)
  assert.ok(cutOff > 0, 'not one command was cut off')
})

interface Stage {
  account: Account
  model: string
  run_id: string | null
  changes: string[]
  made: number[]
  commands: number[]
}

/** A workspace and a script: in turn a line added to a file, a file made, and a command that takes a while. */
async function aStage(t: TestContext): Promise<Stage> {
  const account = await anAccount(t, { TMPDIR: await testFolder(t) }) // a killed process leaves things there
  await writeFile(join(account.project, 'changed.txt'), 'end\n')
  const numbers = Array.from({ length: STEPS }, (_, at) => at + 1)
  const replies = [...numbers.map((number) => ({ text: `Step ${number}.`, calls: [stepCall(number)] })), { text: 'Done.' }]
  return {
    account,
    model: await account.script({ follow: 'thread', replies }),
    run_id: null,
    changes: [...numbers.filter((number) => number % 3 === 1).map((number) => `line ${number}`), 'end'],
    made: numbers.filter((number) => number % 3 === 2),
    commands: numbers.filter((number) => number % 3 === 0),
  }
}

/** Adding before the same last line: made twice it would be there twice. */
function stepCall(number: number) {
  if (number % 3 === 1) return { tool: 'update_file', input: { path: 'changed.txt', old_text: 'end\n', new_text: `line ${number}\nend\n` } }
  if (number % 3 === 2) return { tool: 'create_file', input: { path: `made-${number}.txt`, content: String(number) } }
  return { tool: 'execute_command', input: { command: `echo begun ${number} >> log.txt; sleep 0.1; echo ended ${number} >> log.txt` } }
}

/** Plays until a random event of this life, then kills at a random moment after it. */
async function playAndKill(stage: Stage): Promise<void> {
  const events = 1 + Math.floor(Math.random() * 5)
  const wait = Math.random() * 40
  let seen = 0
  const signal = await play(stage, async (kill) => {
    seen += 1
    if (seen !== events) return
    await sleep(wait)
    kill()
  })
  assert.equal(signal, 'SIGKILL', 'it came to its end before it was killed')
}

/** The run from its start, or from where a killed process left it. */
async function play(stage: Stage, onEvent: (kill: () => void) => Promise<void>): Promise<NodeJS.Signals | null> {
  const begun = stage.run_id === null ? ['play the script', '--model', stage.model] : ['--resume', stage.run_id]
  const args = ['run', ...begun, '--output-format', 'stream-json', '--approve', 'execute_command=allow', '--max-turns', '500']
  const { project: cwd, env } = stage.account
  const child = spawn(launcher, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  for await (const line of createInterface(child.stdout)) {
    stage.run_id ??= (JSON.parse(line) as { run_id: string }).run_id // the first event is init
    await onEvent(() => child.kill('SIGKILL'))
  }
  await ended
  return child.signalCode
}

function outcomeOf({ account }: Stage): Promise<{ status: string | undefined; thread: Entry[] }> {
  return inStore(account.store, async (driver) => {
    const [run] = await runs.items(driver)
    return { status: run?.status, thread: await entries.items(driver, { order: ['number'] }) }
  })
}

/** Every command ran at most once; the model was told of exactly those that did not come to their end. */
async function commandsCutOff(stage: Stage, thread: readonly Entry[]): Promise<number> {
  const log = await linesOf(stage, 'log.txt')
  const answers = thread.flatMap((entry) => (entry.from === 'tool' && entry.tool === 'execute_command' ? entry : []))
  assert.equal(answers.length, stage.commands.length)
  for (const [at, number] of stage.commands.entries()) {
    const begun = log.filter((line) => line === `begun ${number}`).length
    const answer = answers[at]
    assert.ok(begun <= 1, `command ${number} began ${begun} times`)
    if (answer?.outcome === 'ok') assert.ok(log.includes(`ended ${number}`), `command ${number} is told as done`)
    else assert.equal(answer?.outcome, 'interrupted')
  }
  return answers.filter((answer) => answer.outcome === 'interrupted').length
}

async function linesOf({ account }: Stage, file: string): Promise<string[]> {
  return (await readFile(join(account.project, file), 'utf8')).trimEnd().split('\n')
}
