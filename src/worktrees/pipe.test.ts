import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { testFolder } from '../sandbox/test-folder.ts'
import { makeTestRepository } from './test-repository.ts'
import { createWorktree } from './worktree.ts'

test('[S33] a pipe that a command left where git says that a worktree is locked keeps nobody waiting', async (t) => {
  const repository = await makeTestRepository(t, { 'a.txt': 'a' })
  const path = join(await testFolder(t), 'place')
  await createWorktree(repository, path, 'work', 'HEAD')
  execFileSync('mkfifo', [join(repository.commonDir, 'worktrees/place/locked')])

  // In a process of its own: who waits is gone for good.
  const script = `const [, repository, path] = process.argv
    await (await import('./worktree.ts')).isWorktree(JSON.parse(repository), { path, branch: 'work' })
    process.exit()`
  const args = ['--input-type=module', '-e', script, JSON.stringify(repository), path]
  const ended = promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, timeout: 60_000, killSignal: 'SIGKILL' })

  await assert.doesNotReject(ended)
})
