import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder, type Cleanup } from '../sandbox/test-folder.ts'
import { isOwnRecord } from '../sandbox/files/store-paths.ts'
import { applyChanges } from './apply.ts'
import { diffSince } from './diff.ts'
import { checkpointsOf } from './records.ts'
import { planRestore, restore } from './restore.ts'
import { testCheckpoints } from './test-settings.ts'
import { beginCall, keptWorkspace, type CheckpointSettings, type KeptWorkspace } from './workspace.ts'

const call = { thread_id: 'thread', run_id: 'run', call_id: 'call' }

async function changed(
  t: Cleanup,
  prepare: (root: string) => void,
  change: (root: string) => void,
  over: Partial<CheckpointSettings> = {},
) {
  const root = await testFolder(t)
  const workspace = keptWorkspace(await testCheckpoints(t, over), root)
  prepare(root)
  const begun = await beginCall(workspace, call, 'workspace', new Date())
  change(root)
  return { root, workspace, risks: begun.risks, ...(await begun.end()) }
}

function goBack(workspace: KeptWorkspace) {
  const plan = planRestore(workspace, 'thread', 1)
  return restore(workspace, plan, { call, to: 1, now: new Date(), told: async () => undefined })
}

test('[U10] a folder that was swapped for a link leads going back nowhere outside', async (t) => {
  const outside = await testFolder(t)
  writeFileSync(join(outside, 'a'), 'theirs')
  const { root, workspace } = await changed(t, makeSub, (at) => writeFileSync(join(at, 'sub/a'), 'changed'))
  rmSync(join(root, 'sub'), { recursive: true })
  symlinkSync(outside, join(root, 'sub'))

  const { conflicts } = planRestore(workspace, 'thread', 1)
  const { left } = await goBack(workspace)

  assert.deepEqual(conflicts, ['sub/a'])
  assert.deepEqual(left.map(({ path }) => path), ['sub/a']) // prettier-ignore
  assert.deepEqual([readFileSync(join(outside, 'a'), 'utf8'), readdirSync(outside)], ['theirs', ['a']])
})

test('[U10] a folder that is swapped for a link while files are put back leads nowhere outside', async (t) => {
  const [root, outside] = [await testFolder(t), await testFolder(t)]
  mkdirSync(join(root, 'sub'))
  const state = { kind: 'file', mode: 0o644, size: 0, hash: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855' } as const
  const changes = Array.from({ length: 20 }, (_, at) => ({ path: `sub/f${at}`, before: null, after: state }))
  let swapped = 0
  // Between two files, where another process would be let in.
  const contentOf = () => {
    swapped += 1
    if (swapped % 2 === 1) {
      renameSync(join(root, 'sub'), join(root, 'aside'))
      symlinkSync(outside, join(root, 'sub'))
    } else {
      unlinkSync(join(root, 'sub'))
      renameSync(join(root, 'aside'), join(root, 'sub'))
    }
    return Buffer.alloc(0)
  }

  const left = applyChanges({ root, maxFileBytes: 1e6, contentOf }, changes)

  assert.deepEqual(readdirSync(outside), [])
  assert.ok(left.length > 0, 'what could not be done safely is told')
})

test('[U10] a file that shares its content with one outside is replaced, never written into', async (t) => {
  const outside = await testFolder(t)
  const { root, workspace } = await changed(t, (at) => writeFileSync(join(at, 'a'), 'ours'), (at) => writeFileSync(join(at, 'a'), 'changed')) // prettier-ignore
  writeFileSync(join(outside, 'theirs'), 'changed')
  rmSync(join(root, 'a'))
  linkSync(join(outside, 'theirs'), join(root, 'a'))

  await goBack(workspace)

  assert.equal(readFileSync(join(root, 'a'), 'utf8'), 'ours')
  assert.equal(readFileSync(join(outside, 'theirs'), 'utf8'), 'changed')
})

test('[U11] what is kept can be read by its owner alone and belongs to what no command and no tool may reach', async (t) => {
  const home = await testFolder(t)
  const before = process.env['TROUPE_HOME']
  process.env['TROUPE_HOME'] = home
  try {
    const workspace = keptWorkspace(await testCheckpoints(t, { folder: join(home, 'checkpoints') }), await testFolder(t))

    assert.equal(statSync(workspace.file.file).mode & 0o077, 0)
    assert.equal(statSync(join(home, 'checkpoints')).mode & 0o077, 0)
    assert.equal(isOwnRecord(workspace.root, workspace.file.file), true)
  } finally {
    if (before === undefined) delete process.env['TROUPE_HOME']
    else process.env['TROUPE_HOME'] = before
  }
})

test('[U12] what cannot be kept is told: a file too large before the call, a pipe that it took away after it', async (t) => {
  const { risks, lost, workspace } = await changed(t, makeUnkept, removeUnkept, { maxFileBytes: 1_000 })

  assert.deepEqual(risks, [{ path: 'large', why: 'too_large' }])
  assert.ok(lost.some(({ path, why }) => path === 'large' && why === 'too_large'))
  assert.ok(planRestore(workspace, 'thread', 1).missing.includes('large'))
})

test('[U12] a large folder of dependencies is left out and stays as it is', async (t) => {
  const { risks, lost, root, workspace } = await changed(t, makeDependencies, removeDependencies)
  await goBack(workspace)

  assert.deepEqual([risks, lost], [[], [{ path: 'node_modules', why: 'left_out' }]])
  assert.equal(existsSync(join(root, 'own')), true)
})

test('[U6] a secret that changed is named, brought back, and never shown', async (t) => {
  const { workspace, root } = await changed(t, writeSecret('one'), writeSecret('two'))

  const [shown] = diffSince(workspace, 'thread', 1)
  await goBack(workspace)

  assert.deepEqual([shown?.path, shown?.diff], ['.env', ''])
  assert.equal(readFileSync(join(root, '.env'), 'utf8'), 'TOKEN=one\n')
})

test('[U13] old checkpoints go', async (t) => {
  const { workspace } = await changed(t, () => undefined, (at) => writeFileSync(join(at, 'a'), 'new'), { maxAgeMs: 1_000 }) // prettier-ignore
  const before = checkpointsOf(workspace.file, 'thread').length

  const begun = await beginCall(workspace, { ...call, call_id: 'later' }, 'workspace', new Date(Date.now() + 100 * 24 * 3_600_000))
  await begun.end()

  assert.deepEqual([before, checkpointsOf(workspace.file, 'thread').length], [1, 0])
})

test('[U13] where room is short the oldest checkpoints go first', async (t) => {
  const root = await testFolder(t)
  const workspace = keptWorkspace(await testCheckpoints(t, { maxBytes: 1_500_000 }), root)

  for (let turn = 0; turn < 12; turn++) {
    const begun = await beginCall(workspace, { ...call, call_id: `call-${turn}` }, 'workspace', new Date())
    writeFileSync(join(root, 'a'), randomBytes(200_000))
    await begun.end()
  }

  const kept = checkpointsOf(workspace.file, 'thread').map(({ call_id }) => call_id)
  assert.equal(kept.at(-1), 'call-11')
  assert.equal(kept.includes('call-0'), false)
})

function makeSub(root: string): void {
  mkdirSync(join(root, 'sub'))
  writeFileSync(join(root, 'sub/a'), 'ours')
}

function makeUnkept(root: string): void {
  writeFileSync(join(root, 'large'), Buffer.alloc(2_000))
  spawnSync('mkfifo', [join(root, 'pipe')])
}

function removeUnkept(root: string): void {
  rmSync(join(root, 'large'))
  rmSync(join(root, 'pipe'), { force: true })
}

function makeDependencies(root: string): void {
  mkdirSync(join(root, 'node_modules'))
  for (let count = 0; count < 5_100; count++) writeFileSync(join(root, `node_modules/${count}`), '')
  writeFileSync(join(root, 'own'), 'own')
}

function removeDependencies(root: string): void {
  rmSync(join(root, 'node_modules'), { recursive: true })
  rmSync(join(root, 'own'))
}

function writeSecret(value: string): (root: string) => void {
  return (root) => writeFileSync(join(root, '.env'), `TOKEN=${value}\n`)
}
