import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { confineProgram } from './confine-program.ts'
import { recallsProbe, rememberProbe } from './probe-memory.ts'
import { storePaths } from './files/store-paths.ts'
import { kindsHere } from './test-actor.ts'
import { testWorkspace } from './test-workspace.ts'

const program = '/bin/sh'

test('[S27] what was found to hold is known again by the next process, and by nobody but its owner', async (t) => {
  const file = join(await testWorkspace(t), 'cache/sandbox.json')

  await rememberProbe(file, program)

  assert.equal(recallsProbe(file, program), true)
  assert.equal((await stat(file)).mode & 0o777, 0o600)
})

test('[S27] another start of the machine, another program or a damaged note means trying again', async (t) => {
  const file = join(await testWorkspace(t), 'sandbox.json')
  await rememberProbe(file, program)
  const kept = await readFile(file, 'utf8')
  const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
  const notes = [kept.replace(boot, '0'.repeat(boot.length)), kept.slice(0, -1), '', '"bubblewrap"', '{"kind":"none"}']

  const recalled = []
  for (const note of notes) {
    await writeFile(file, note)
    recalled.push(recallsProbe(file, program))
  }
  await writeFile(file, kept)

  assert.deepEqual(recalled, [false, false, false, false, false])
  assert.equal(recallsProbe(file, '/bin/mount'), false)
  assert.equal(recallsProbe(join(file, 'missing'), program), false)
})

test('[S27] the best kind is noted when it holds, and a note is all that the next start needs', async (t) => {
  const folder = await testWorkspace(t)
  const file = join(folder, 'sandbox.json')
  const script = `
    const { detectSandbox } = await import(${JSON.stringify(join(import.meta.dirname, 'detect.ts'))})
    console.log((await detectSandbox(${JSON.stringify(file)})).kind)`
  const detected = () => execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim()
  const [best = 'none'] = await kindsHere()

  const kinds = [detected(), detected()]

  assert.deepEqual(kinds, [best, best])
  assert.equal(recallsProbe(file, confineProgram(process.arch)), best === 'namespaces')
})

test('[S27] the folder of the note and of our compiled code is out of reach of every command', () => {
  const hidden = storePaths({ XDG_CACHE_HOME: '/somewhere' })

  assert.ok(hidden.includes('/somewhere/troupe'))
})
