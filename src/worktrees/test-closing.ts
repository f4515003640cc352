import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openRepository } from './repository.ts'
import { fileAt } from './test-repository.ts'
import { createWorktree, inThrowAway, removeWorktree } from './worktree.ts'

// A process of its own, because a test that runs as root has to play it as somebody else: nothing is closed to root.
const repository = await openRepository(process.argv[2] ?? '.')
const parent = join(repository.root, '.git/ours')
mkdirSync(parent)
const tested = await inThrowAway(repository, 'main', async (path) => close(path), parent)
const worktree = await createWorktree(repository, join(parent, 'wt'), 'task/1', 'main')
close(worktree.path)
const kept = await removeWorktree(repository, worktree, 'kept/1')
const text = await fileAt(repository.root, kept ?? '', 'outer/inner/new.txt')
process.stdout.write(JSON.stringify({ tested, text, left: readdirSync(parent) }))

/** Leaves a file in folders that nobody may read or change, as a command can. */
function close(path: string): string {
  const inner = join(path, 'outer/inner')
  mkdirSync(inner, { recursive: true })
  writeFileSync(join(inner, 'new.txt'), 'new\n', { mode: 0 })
  chmodSync(inner, 0)
  chmodSync(join(path, 'outer'), 0o500)
  return 'closed'
}
