import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openShell } from '../../../tests/open-shell.ts'

const plan = ['--description', 'List the users', '--spec', 'spec.md', '--done-when', 'users.txt lists 2 users', '--scope', 'IN: the list']
// oxfmt-ignore
const left = [
  '--summary', 'Half is there.', '--next-action', 'The other half.', '--approach', 'One file each.', '--blockers', 'No order is said.',
  '--files-modified', 'a.txt', 'b.txt', '--next-steps', 'Ask for the order.', 'Write c.txt.',
]

test('[B49] a handoff says how it was gone about, what is in the way, what changed and what is left, and whoever goes on reads it', async (t) => {
  const { troupe } = await openShell(t, { 'spec.md': '# Users\n' })
  await troupe('board', 'init', 'List the users', '--spec', 'spec.md', '--auto-approve')
  await troupe('board', 'add', ...plan)
  await troupe('board', 'finalize', 'task-1')
  await troupe('board', 'claim', 'task-1', '--as', 'coder-1')

  const { stdout } = await troupe('board', 'handoff', 'task-1', ...left, '--as', 'coder-1', '--json')
  const claimed = await troupe('board', 'claim', 'task-1', '--as', 'coder-2')

  const { approach, blockers, files_modified, next_steps } = JSON.parse(stdout) as Record<string, unknown> // the record
  assert.deepEqual(
    [approach, blockers, files_modified, next_steps],
    ['One file each.', ['No order is said.'], ['a.txt', 'b.txt'], ['Ask for the order.', 'Write c.txt.']],
  )
  assert.match(claimed.stdout, /Half is there\.[^]*One file each\.[^]*No order is said\.[^]*a\.txt[^]*b\.txt[^]*Ask[^]*Write c\.txt/)
})

test('[B209] a script that claims and finds nothing learns it by an exit code of its own', async (t) => {
  const { troupe } = await openShell(t, { 'spec.md': '# Users\n' })
  await troupe('board', 'init', 'List the users', '--spec', 'spec.md', '--auto-approve')

  const none = [await troupe('board', 'claim', '--as', 'coder-1'), await troupe('board', 'review', '--as', 'code-reviewer-1')]
  await troupe('board', 'add', ...plan)
  await troupe('board', 'finalize', 'task-1')
  const claimed = await troupe('board', 'claim', '--as', 'coder-1')

  assert.deepEqual(
    [...none, claimed].map(({ code }) => code),
    [3, 3, 0],
  )
})
