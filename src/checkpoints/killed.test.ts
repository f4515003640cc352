import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { testFolder } from '../sandbox/test-folder.ts'
import { checkpointsOf } from './records.ts'
import { planRestore, restore, settle } from './restore.ts'
import { disturb, pictureOf, seeded } from './test-random-files.ts'
import { testCheckpoints } from './test-settings.ts'
import { beginCall, keptWorkspace, type KeptWorkspace } from './workspace.ts'

const ROUNDS = 8

test('[U9] what a call had changed when its process was killed can be undone', async (t) => {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const root = await testFolder(t)
    const random = seeded(seed)
    for (let count = 0; count < 20; count++) disturb(root, random)
    const settings = await testCheckpoints(t)
    const before = pictureOf(root)
    await killed('call', settings.folder, root, seed, seed * 3)

    const workspace = keptWorkspace(settings, root)
    await settle(workspace, 'thread', new Date(), async () => undefined)
    const [record] = checkpointsOf(workspace.file, 'thread')
    if (record !== undefined) await goBack(workspace, record.number)

    assert.deepEqual(pictureOf(root), before, `round ${seed}`)
  }
})

test('[U9] going back that was killed at any moment leaves the old files or, once it is taken up again, the new ones', async (t) => {
  for (let seed = 1; seed <= ROUNDS; seed++) {
    const root = await testFolder(t)
    const settings = await testCheckpoints(t)
    const workspace = keptWorkspace(settings, root)
    for (let count = 0; count < 150; count++) writeFileSync(join(root, `file-${count}`), `before ${count}`)
    const target = pictureOf(root)
    const begun = await beginCall(workspace, { thread_id: 'thread', run_id: 'run-0', call_id: 'call-0' }, 'workspace', new Date())
    for (let count = 0; count < 150; count++) writeFileSync(join(root, `file-${count}`), `after ${count} ${'x'.repeat(count * 50)}`)
    await begun.end()
    const present = pictureOf(root)
    await killed('restore', settings.folder, root, seed, seed * 4)

    await settle(workspace, 'thread', new Date(), async () => undefined)

    const wasRecorded = checkpointsOf(workspace.file, 'thread').some(({ kind }) => kind === 'restore')
    assert.deepEqual(pictureOf(root), wasRecorded ? target : present, `round ${seed}`)
  }
})

async function goBack(workspace: KeptWorkspace, to: number): Promise<void> {
  const call = { thread_id: 'thread', run_id: '', call_id: 'back' }
  await restore(workspace, planRestore(workspace, 'thread', to), { call, to, now: new Date(), told: async () => undefined })
}

/** Plays a process and kills it some time after it has begun. */
async function killed(what: string, folder: string, root: string, seed: number, afterMs: number): Promise<void> {
  const script = fileURLToPath(new URL('test-killed.ts', import.meta.url))
  const child = spawn(process.execPath, [script, what, folder, root, String(seed)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), ended])
  await sleep(afterMs)
  child.kill('SIGKILL')
  await ended
}
