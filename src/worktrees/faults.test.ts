import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { branchHead, checkoutOf, moveBranch } from './branch.ts'
import { agentAuthor, commitAll, uncommittedFiles } from './commit.ts'
import { worktreeRecords } from './read-ref.ts'
import { fetchBranch, pushBranch } from './remote.ts'
import { gitText } from './repository.ts'
import { commitFiles, fileAt, makeTestRepository, makeTestWorktree } from './test-repository.ts'
import { createWorktree, inThrowAway, isWorktree, removeWorktree, restoreWorktree } from './worktree.ts'

const asNobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', '--']

test('[T11] a worktree that git was killed at is no worktree: it is laid out anew, and what is missing counts as deleted by nobody', async (t) => {
  const { repository, worktree } = await makeTestWorktree(t)
  const { path } = worktree
  await writeFile(join(repository.commonDir, 'worktrees/wt/locked'), 'initializing')
  await rm(join(path, 'a.txt'))

  const taken = await isWorktree(repository, worktree)
  await restoreWorktree(repository, path, 'task/1')

  assert.equal(taken, false)
  assert.equal(await isWorktree(repository, worktree), true)
  assert.deepEqual(await uncommittedFiles(path), [])
})

test('[T11] a folder that git had only just begun is taken away like a worktree', async (t) => {
  const repository = await makeTestRepository(t)
  const path = `${repository.root}/.git/wt`
  await gitText(repository.root, ['branch', 'task/1'])
  await mkdir(path)

  await removeWorktree(repository, { path, branch: 'task/1' }, 'kept/1')

  assert.equal(existsSync(path), false)
  assert.equal(await branchHead(repository, 'task/1'), null)
})

test('[T11] what makes room for a worktree takes nothing of another that is called the same', async (t) => {
  const repository = await makeTestRepository(t)
  const [one, two] = ['one', 'two'].map((job) => `${repository.root}/.git/jobs/${job}/workspace`) as [string, string] // of two, two
  await createWorktree(repository, one, 'job-one', 'main')
  await mkdir(two, { recursive: true })

  await createWorktree(repository, two, 'job-two', 'main')
  const stands = [
    await isWorktree(repository, { path: one, branch: 'job-one' }),
    await isWorktree(repository, { path: two, branch: 'job-two' }),
  ]

  assert.deepEqual(stands, [true, true])
})

test('[T12] a lock that a killed git left is removed once it is old, and the index of a person never', async (t) => {
  const { repository, worktree } = await makeTestWorktree(t)
  const head = await gitText(repository.root, ['rev-parse', 'main'])
  const left = [join(repository.commonDir, 'refs/heads/integration.lock'), join(repository.commonDir, 'worktrees/wt/index.lock')]
  const mine = join(repository.commonDir, 'index.lock')
  for (const lock of [...left, mine]) await writeFile(lock, '')
  for (const lock of [...left, mine]) await utimes(lock, new Date(0), new Date(0))

  await moveBranch(repository, 'integration', null, head)
  await commitFiles(worktree.path, { 'b.txt': 'new\n' }, 'b')

  assert.equal(await branchHead(repository, 'integration'), head)
  assert.deepEqual(
    [...left, mine].map((lock) => existsSync(lock)),
    [false, false, true],
  )
})

test('[T12] a record that another git is just writing is waited for, and completed where that git was killed', async (t) => {
  const { repository } = await makeTestWorktree(t)
  const record = join(repository.commonDir, 'worktrees/wt/commondir')
  const whole = await readFile(record, 'utf8')

  await writeFile(record, '')
  const [holder] = await Promise.all([checkoutOf(repository, 'task/1'), sleep(300).then(() => writeFile(record, whole))])
  await writeFile(record, '')
  await utimes(record, new Date(0), new Date(0))
  const after = await checkoutOf(repository, 'task/1')

  assert.deepEqual([holder, after], [`${repository.root}/.git/wt`, `${repository.root}/.git/wt`])
  assert.equal(await readFile(record, 'utf8'), whole)
})

test('[T12] no name of a file and no word of a remote has a file removed that lies outside the git folder', async (t) => {
  const [{ repository, worktree }, remote] = [await makeTestWorktree(t), await makeTestRepository(t)]
  const locks = [join(remote.root, 'yarn.lock'), join(remote.root, 'deno.lock')] as const
  for (const lock of locks) await writeFile(lock, 'of a person\n')
  for (const lock of locks) await utimes(lock, new Date(0), new Date(0))
  const [name, word] = locks.map((lock) => `fatal: Unable to create '${lock}': File exists`) as [string, string] // of two, two
  await mkdir(dirname(join(worktree.path, name)), { recursive: true })
  await writeFile(join(worktree.path, name), 'no mark of UTF-16')
  await writeFile(join(worktree.path, '.gitattributes'), '*exists working-tree-encoding=UTF-16\n')
  await writeFile(join(remote.commonDir, 'hooks/pre-receive'), `#!/bin/sh\necho "${word}" >&2\nexit 1\n`, { mode: 0o755 })

  await assert.rejects(commitAll(worktree.path, 'b', agentAuthor('coder-1')), { message: /Unable to create/ })
  await assert.rejects(pushBranch(repository, remote.root, 'task/2', null, worktree.base_commit), { message: /Unable to create/ })

  for (const lock of locks) assert.equal(await readFile(lock, 'utf8'), 'of a person\n')
})

test('[T12] a worktree is made also while another git writes the record of its own', async (t) => {
  const { repository } = await makeTestWorktree(t)
  const record = join(repository.commonDir, 'worktrees/wt/commondir')
  const whole = await readFile(record, 'utf8')

  await writeFile(record, '')
  const [made] = await Promise.all([
    createWorktree(repository, `${repository.root}/.git/other`, 'task/2', 'main'),
    sleep(300).then(() => writeFile(record, whole)),
  ])

  assert.ok(await isWorktree(repository, made))
  await assert.rejects(createWorktree(repository, `${repository.root}/.git/third`, 'task/2', 'main'), { message: /already exists/ })
})

test('[T3, T6] folders that a command closed to everyone are kept and cleared away like all others', async (t) => {
  const repository = await makeTestRepository(t)
  const isRoot = process.getuid?.() === 0
  if (isRoot) execFileSync('chown', ['-R', '65534:65534', repository.root])
  const [program, ...args] = [...(isRoot ? asNobody : []), process.execPath, join(import.meta.dirname, 'test-closing.ts'), repository.root]

  const said = execFileSync(program, args, { encoding: 'utf8', env: { ...process.env, HOME: '/var/tmp' } })

  assert.deepEqual(JSON.parse(said), { tested: 'closed', text: 'new\n', left: [] })
})

test('[T13] a branch of a remote moves only from where it was seen, is brought here as commits, and a remote that is away says so', async (t) => {
  const [one, two] = [await makeTestRepository(t), await makeTestRepository(t)]
  const remote = `${one.root}/.git/shared.git`
  await gitText(one.root, ['init', '--quiet', '--bare', remote])
  for (const { root } of [one, two]) await gitText(root, ['remote', 'add', 'shared', remote])
  const [mine, theirs] = [await gitText(one.root, ['rev-parse', 'main']), await commitFiles(two.root, { 'b.txt': '2' }, '2')]
  const branches = await gitText(two.root, ['for-each-ref', 'refs/heads'])

  const absent = await fetchBranch(two, 'shared', 'integration')
  const moves = [await pushBranch(one, 'shared', 'integration', null, mine), await pushBranch(two, 'shared', 'integration', null, theirs)]
  const fetched = await fetchBranch(two, 'shared', 'integration')
  const after = await pushBranch(two, 'shared', 'integration', mine, theirs)

  assert.deepEqual([absent, moves, fetched, after], [null, ['moved', 'lost_race'], mine, 'moved'])
  assert.equal(await gitText(two.root, ['for-each-ref', 'refs/heads']), branches)
  await rm(remote, { recursive: true })
  await assert.rejects(fetchBranch(one, 'shared', 'integration'), { code: 'busy', message: /remote shared/ })
})

test('[T13] of the branches of a remote only the one of exactly that name counts, and one that never arrives is given up', async (t) => {
  const [one, there] = [await makeTestRepository(t), await makeTestRepository(t)]
  const other = await commitFiles(there.root, { 'b.txt': 'of nobody\n' }, 'b')
  await gitText(there.root, ['update-ref', 'refs/heads/a/refs/heads/integration', other])
  const blob = await gitText(there.root, ['rev-parse', 'HEAD:b.txt'])
  await writeFile(join(there.commonDir, 'refs/heads/odd'), `${blob}\n`)

  const absent = await fetchBranch(one, there.root, 'integration')

  assert.equal(absent, null)
  await assert.rejects(fetchBranch(one, there.root, 'odd'), { code: 'busy', message: /odd/ })
})

test(
  '[T14] a file whose name is not UTF-8 is named when it is to be committed or its worktree removed, and stays',
  { skip: process.platform === 'darwin' ? 'its file system refuses such names' : false },
  async (t) => {
    const { repository, worktree } = await makeTestWorktree(t)
    const { path } = worktree
    const file = Buffer.concat([Buffer.from(`${path}/caf`), Buffer.from([0xe9]), Buffer.from('.txt')])
    await writeFile(file, 'un café\n')
    await writeFile(join(path, 'b.txt'), 'two\n')
    const refusal = { code: 'bad_input', message: /caf\ufffd\.txt in .+ is not UTF-8.*rename or remove it/ }

    await assert.rejects(commitAll(path, 'Menu', agentAuthor('coder-1')), refusal)
    await assert.rejects(removeWorktree(repository, worktree, 'kept/1'), refusal)

    assert.equal(await readFile(file, 'utf8'), 'un café\n')
    await rename(file, join(path, 'café.txt'))
    assert.notEqual(await commitAll(path, 'Menu', agentAuthor('coder-1')), null)
    assert.equal(await fileAt(path, 'HEAD', 'café.txt'), 'un café\n')
  },
)

test('[S33] a pipe that a command left where git says that a worktree is locked keeps nobody waiting', async (t) => {
  const { repository, worktree } = await makeTestWorktree(t)
  execFileSync('mkfifo', [join(repository.commonDir, 'worktrees/wt/locked')])

  // In a process of its own: who waits is gone for good.
  const script = `await (await import('./worktree.ts')).isWorktree(...process.argv.slice(1).map(JSON.parse)); process.exit()`
  const args = ['--input-type=module', '-e', script, JSON.stringify(repository), JSON.stringify(worktree)]
  const ended = promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, timeout: 60_000, killSignal: 'SIGKILL' })

  await assert.doesNotReject(ended)
})

test('[T16] worktrees made, checked and removed side by side do not get in each other’s way', async (t) => {
  const repository = await makeTestRepository(t)
  const inLane = async (lane: number) => {
    for (let round = 0; round < 5; round++) {
      const branch = `task/${lane}-${round}`
      const { path, base_commit } = await createWorktree(repository, `${repository.root}/.git/wt-${lane}-${round}`, branch, 'main')
      await inThrowAway(repository, base_commit, async (folder) => assert.ok(existsSync(join(folder, 'a.txt'))))
      await removeWorktree(repository, { path, branch }, branch, base_commit)
    }
  }

  await Promise.all(Array.from({ length: 6 }, (_, lane) => inLane(lane)))

  assert.deepEqual(worktreeRecords(repository.commonDir), [])
  assert.equal(await gitText(repository.root, ['branch', '--list', 'task/*']), '')
})

test('[T16] a worktree of which git still knows, with its folder and branch gone, is made anew', async (t) => {
  const { repository, worktree } = await makeTestWorktree(t)
  await rm(worktree.path, { recursive: true })
  await gitText(repository.root, ['update-ref', '-d', 'refs/heads/task/1'])

  const made = await createWorktree(repository, worktree.path, 'task/1', 'main')

  assert.ok(await isWorktree(repository, made))
})
