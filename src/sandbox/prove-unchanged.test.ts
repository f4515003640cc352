import assert from 'node:assert/strict'
import { chmod, mkdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { detectSandbox } from './detect.ts'
import { git } from './git/git.ts'
import { proveUnchanged } from './prove-unchanged.ts'
import { runCommand } from './run-command.ts'
import { committer } from './test-surroundings.ts'
import { testWorkspace } from './test-workspace.ts'

test('[S21] after a test run in a throw-away layer that writes, deletes and commits, the workspace is proven unchanged', async (t) => {
  const root = await testWorkspace(t, { 'src/a.txt': 'text', 'dist/old': 'built' })
  await git(root, ['init', '-q'])
  const prove = await proveUnchanged(root)

  const script =
    'rm -r dist && mkdir dist && echo built > dist/new && echo more >> src/a.txt && git add . && git -c user.name=a -c user.email=b commit -qm x'
  const result = await runCommand({ argv: ['sh', '-c', script], root, access: 'throw_away' }, await detectSandbox())
  const proof = await prove()

  assert.deepEqual([result.exit_code, result.stderr], [0, ''])
  assert.deepEqual([proof.unchanged, proof.changed, proof.complete], [true, [], true])
})

test('[S21] each way to change a workspace shows in the proof, by name', async (t) => {
  const root = await testWorkspace(t, { 'a.txt': 'aaaa', 'b.txt': 'b', 'sub/c.txt': 'c' })
  await git(root, ['init', '-q'])
  const changes: Record<string, () => Promise<unknown>> = {
    'new.txt': () => writeFile(join(root, 'new.txt'), ''),
    'b.txt': () => rm(join(root, 'b.txt')),
    'sub/c.txt': () => chmod(join(root, 'sub/c.txt'), 0o700),
    link: () => symlink('/etc', join(root, 'link')),
    'empty-folder': () => mkdir(join(root, 'empty-folder')),
    '.git/refs/heads/evil': () => writeFile(join(root, '.git/refs/heads/evil'), '0'.repeat(40)),
    'a.txt': async () => {
      const { atime, mtime } = await stat(join(root, 'a.txt'))
      await writeFile(join(root, 'a.txt'), 'bbbb')
      await utimes(join(root, 'a.txt'), atime, mtime)
    },
  }

  for (const [name, change] of Object.entries(changes)) {
    const prove = await proveUnchanged(root)
    await change()
    const proof = await prove()

    assert.deepEqual([proof.unchanged, proof.changed], [false, [name]])
  }
})

test('[S21] in a worktree a moved HEAD shows in the proof', async (t) => {
  const folder = await testWorkspace(t, { 'main/a.txt': 'text' })
  const [main, tree] = [join(folder, 'main'), join(folder, 'tree')]
  await git(main, ['init', '-q'])
  await git(main, ['add', '.'])
  await git(main, ['commit', '-qm', 'first'], { env: committer })
  await git(main, ['worktree', 'add', '-q', tree])
  const prove = await proveUnchanged(tree)

  await git(tree, ['commit', '-q', '--allow-empty', '-m', 'second'], { env: committer })
  const proof = await prove()

  assert.equal(proof.unchanged, false)
})
