import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, rm, symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Bounds } from '../../domain/bounds.ts'
import { testWorkspace } from '../../sandbox/test-workspace.ts'
import { instructionsFor, instructionsText, nestedInstructions } from './instructions.ts'

const told = (workspace: string, user: string | null = null) => instructionsFor(workspace, user).map(({ file, text }) => [file, text])
const everywhere: Pick<Bounds, 'read_paths'> = { read_paths: [] }

test('[R40] a project’s AGENTS.md is told to its agents, also through a link inside the project', async (t) => {
  const plain = await testWorkspace(t, { 'AGENTS.md': 'Use tabs.' })
  const linked = await testWorkspace(t, { 'docs/rules.md': 'Use spaces.' })
  await symlink('docs/rules.md', join(linked, 'AGENTS.md'))

  assert.deepEqual([told(plain), told(linked)], [[['AGENTS.md', 'Use tabs.']], [['AGENTS.md', 'Use spaces.']]])
})

test('[R40] an AGENTS.md that leads out of the project, to a secret or to a pipe is not told', async (t) => {
  const root = await testWorkspace(t, { '.env': 'KEY=secret' })
  const elsewhere = await testWorkspace(t, { id: 'secret' })
  const file = join(root, 'AGENTS.md')
  const found: unknown[] = []
  for (const target of [join(elsewhere, 'id'), '.env', '/proc/self/environ', 'nowhere']) {
    await symlink(target, file)
    found.push(...told(root))
    await rm(file)
  }
  execFileSync('mkfifo', [file])

  found.push(...told(root))

  assert.deepEqual(found, [])
})

test('[R50] of a file without measure only the beginning is read, and what is left out is said', async (t) => {
  const root = await testWorkspace(t, { 'AGENTS.md': 'Use tabs.' })
  await truncate(join(root, 'AGENTS.md'), 5 * 1024 ** 3) // takes no room on the disk

  const [file] = instructionsFor(root, null)

  assert.equal(file?.text, 'Use tabs.')
  assert.equal(file.cutBytes, 5 * 1024 ** 3 - 8_000)
  assert.match(instructionsText([file]), /^\[from "AGENTS\.md"; its last \d+ bytes are left out\]\nUse tabs\.$/)
})

test('[R50] the user’s own comes first, then the top of the repository and each folder down to the workspace, and nothing above the repository', async (t) => {
  const place = await testWorkspace(t, {
    'AGENTS.md': 'above',
    'own/AGENTS.md': 'mine',
    'project/.git/HEAD': '',
    'project/AGENTS.md': 'top',
    'project/a/CLAUDE.md': 'between',
    'project/a/b/AGENTS.md': 'here',
    'project/a/b/c/AGENTS.md': 'below',
  })

  const found = told(join(place, 'project/a/b'), join(place, 'own/AGENTS.md'))

  assert.deepEqual(found, [
    [join(place, 'own/AGENTS.md'), 'mine'],
    ['../../AGENTS.md', 'top'],
    ['../CLAUDE.md', 'between'],
    ['AGENTS.md', 'here'],
  ])
})

test('[R50] where several names are in one folder AGENTS.md counts, then CLAUDE.md, then GEMINI.md; an empty one is passed over', async (t) => {
  const all = await testWorkspace(t, { 'AGENTS.md': 'a', 'CLAUDE.md': 'c', 'GEMINI.md': 'g' })
  const two = await testWorkspace(t, { 'AGENTS.md': ' \n', 'CLAUDE.md': 'c', 'GEMINI.md': 'g' })
  const one = await testWorkspace(t, { 'GEMINI.md': 'g' })

  assert.deepEqual([told(all), told(two), told(one)], [[['AGENTS.md', 'a']], [['CLAUDE.md', 'c']], [['GEMINI.md', 'g']]])
})

test('[R51] a folder’s own file is told for what is touched below it, once, and never beyond the workspace or the paths of the role', async (t) => {
  const root = await testWorkspace(t, {
    'AGENTS.md': 'root',
    'packages/a/AGENTS.md': 'a',
    'packages/a/src/x.ts': '',
    'packages/b/AGENTS.md': 'b',
    'packages/b/y.ts': '',
  })
  const files = (places: string[], known: string[] = [], bounds = everywhere) =>
    nestedInstructions(root, places, new Set(known), bounds).map(({ file }) => file)

  const both = [join(root, 'packages/a/src/x.ts'), join(root, 'packages/b/new.ts')]

  assert.deepEqual(files(both), ['packages/a/AGENTS.md', 'packages/b/AGENTS.md'])
  assert.deepEqual(files(both, ['packages/a/AGENTS.md']), ['packages/b/AGENTS.md'])
  assert.deepEqual(files(both, [], { read_paths: [['packages/b/*.ts', 'packages/a/**']] }), ['packages/a/AGENTS.md'])
  assert.deepEqual(files([root, join(root, 'AGENTS.md'), '/etc/hosts', join(root, '..')]), [])
})

test('[R50] characters that nobody sees are not told, and all files together stay within their measure', async (t) => {
  const root = await testWorkspace(t, { 'd0/AGENTS.md': `Use\u001b[2J\u202e\u{E0041} tabs.` })
  let folder = join(root, 'd0')
  for (const name of ['1', '2', '3', '4', '5']) {
    folder = join(folder, name)
    await mkdir(folder)
    await symlink('/dev/null', join(folder, 'GEMINI.md'))
  }
  const big = await testWorkspace(
    t,
    Object.fromEntries(['a', 'a/b', 'a/b/c', 'a/b/c/d'].map((at) => [`${at}/AGENTS.md`, 'x'.repeat(9_000)])),
  )

  const [hidden] = nestedInstructions(root, [folder], new Set(), everywhere)
  const many = nestedInstructions(big, [join(big, 'a/b/c/d')], new Set(), everywhere)

  assert.equal(hidden?.text, 'Use tabs.')
  assert.deepEqual(
    many.map(({ file, text }) => [file, text.length]),
    [
      ['a/b/AGENTS.md', 8_000],
      ['a/b/c/AGENTS.md', 8_000],
      ['a/b/c/d/AGENTS.md', 8_000],
    ],
  )
})
