import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openTestGate } from './test-gate.ts'
import { commandSettingsWith } from '../sandbox/test-command-settings.ts'

test('[G33] search_code finds lines by file, with their numbers, and honours ignore files', async (t) => {
  const gate = await openTestGate(t, {
    '.gitignore': 'dist/\n*.log\n',
    'src/b.ts': 'one\nneedle two\nthree\n',
    'src/a.ts': 'Needle\n',
    '.github/ci.yml': 'needle: 1\n',
    'dist/out.js': 'needle',
    'x.log': 'needle',
  })

  const all = await gate.call('search_code', { pattern: 'needle' })
  const some = await gate.call('search_code', { pattern: 'needle', path: 'src', glob: 'b.*', context_lines: 1 })
  const exact = await gate.call('search_code', { pattern: 'Needle' })
  const ignored = await gate.call('search_code', { pattern: 'needle', glob: '*.log' })

  assert.equal(all.output, '.github/ci.yml\n1: needle: 1\nsrc/a.ts\n1: Needle\nsrc/b.ts\n2: needle two')
  assert.equal(some.output, 'src/b.ts\n1- one\n2: needle two\n3- three')
  assert.equal(exact.output, 'src/a.ts\n1: Needle')
  assert.equal(ignored.output, 'nothing matches needle')
})

test('[G33] search_code takes a pattern as plain text when asked, and says when it cannot be read', async (t) => {
  const gate = await openTestGate(t, { 'a.txt': 'f(x\n' })

  const literal = await gate.call('search_code', { pattern: 'f(x', literal: true })
  const broken = await gate.call('search_code', { pattern: 'f(x' })
  const flag = await gate.call('search_code', { pattern: '--files' })
  const nowhere = await gate.call('search_code', { pattern: 'x', path: 'nowhere' })

  assert.equal(literal.output, 'a.txt\n1: f(x')
  assert.match(broken.output, /^bad_input: the pattern cannot be searched for: .*unclosed group/s)
  assert.equal(flag.output, 'nothing matches --files')
  assert.match(nowhere.output, /^not_found: nowhere does not exist/)
})

test('[G28] search_code and find_files say how much they did not show', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`f${String(at).padStart(2, '0')}.txt`, 'hit\nhit\n']))
  const gate = await openTestGate(t, { ...files, 'wide.txt': `hit${'x'.repeat(1_000)}\n` })

  const searched = await gate.call('search_code', { pattern: '^hit$', max_results: 3 })
  const found = await gate.call('find_files', { pattern: 'f*.txt', max_results: 2 })
  const wide = await gate.call('search_code', { pattern: 'hitx' })

  assert.equal(searched.output, 'f00.txt\n1: hit\n2: hit\nf01.txt\n1: hit\n[3 of 24 matches shown; narrow the pattern, path or glob]')
  assert.equal(found.output, 'f00.txt\nf01.txt\n[2 of 12 shown; narrow the pattern or path]')
  assert.match(wide.output, /x\[… 703 characters cut\]$/)
})

test('[G18] search_code and find_files never leave the workspace through a link', async (t) => {
  const outside = await openTestGate(t, { 'secret.txt': 'needle' })
  const gate = await openTestGate(t, { 'in.txt': 'needle' })
  await symlink(outside.root, join(gate.root, 'folder'))
  await symlink(join(outside.root, 'secret.txt'), join(gate.root, 'file.txt'))

  const searched = await gate.call('search_code', { pattern: 'needle' })
  const found = await gate.call('find_files', { pattern: 'secret*' })
  const through = await gate.call('search_code', { pattern: 'needle', path: 'folder' })

  assert.equal(searched.output, 'in.txt\n1: needle')
  assert.equal(found.output, 'no file fits secret*')
  assert.equal(through.outcome, 'denied')
})

test('[G19] search_code finds nothing in secrets, not even a count, unless the user listed them', async (t) => {
  const gate = await openTestGate(t, { '.env': 'KEY=needle\n', 'deploy/id_rsa': 'needle', 'a.txt': 'needle' })

  const searched = await gate.call('search_code', { pattern: 'needle' })
  const listed = await gate.as({ commands: commandSettingsWith({ allowedSecrets: ['.env'] }) }).call('search_code', { pattern: 'needle' })

  assert.deepEqual([searched.output, searched.details.found], ['a.txt\n1: needle', 1])
  assert.match(listed.output, /^\.env\n1: KEY=needle/)
})

test('[G19] search_code shows nothing of a file whose name it cannot tell, for it cannot tell whether that is a secret', async (t) => {
  const gate = await openTestGate(t, { 'a.txt': 'token\n' })
  const folder = Buffer.concat([Buffer.from(`${gate.root}/`), Buffer.from([0xff])])
  await mkdir(folder)
  await writeFile(Buffer.concat([folder, Buffer.from('/.npmrc')]), '//registry.example/:_authToken=secret-token\n')

  const { output } = await gate.call('search_code', { pattern: 'token' })

  assert.equal(output, 'a.txt\n1: token')
})

test('[G34] find_files finds by name at any depth or by path, honours ignore files and takes odd names', async (t) => {
  const gate = await openTestGate(t, {
    '.gitignore': 'dist/\n',
    'a.ts': '',
    'src/b.tsx': '',
    'src/odd\nname.ts': '',
    'dist/c.ts': '',
    '.hidden/d.ts': '',
    '.git/HEAD': '',
  })

  const names = await gate.call('find_files', { pattern: '*.ts' })
  const paths = await gate.call('find_files', { pattern: 'src/**/*.{ts,tsx}' })
  const below = await gate.call('find_files', { pattern: '*', path: 'src' })

  const git = await gate.call('find_files', { pattern: '.git/**' })

  assert.equal(git.output, 'no file fits .git/**')
  assert.equal(names.output, '.hidden/d.ts\na.ts\nsrc/odd\nname.ts')
  assert.equal(paths.output, 'src/b.tsx\nsrc/odd\nname.ts')
  assert.equal(below.output, 'src/b.tsx\nsrc/odd\nname.ts')
})

test('[G34] a glob made to be slow is matched at once, and one that cannot be read is refused', async (t) => {
  const gate = await openTestGate(t, { ['a'.repeat(200)]: '' })

  const slow = await gate.call('find_files', { pattern: `${'*a'.repeat(60)}b` })
  const broken = await gate.call('find_files', { pattern: '{a' })

  assert.match(slow.output, /^no file fits/)
  assert.match(broken.output, /^bad_input: the pattern cannot be searched for/)
})

test('[G33] a search through many files is stopped when the call is', async (t) => {
  const gate = await openTestGate(t)
  await mkdir(join(gate.root, 'many'))
  await Promise.all(Array.from({ length: 200 }, (_, at) => writeFile(join(gate.root, 'many', `${at}.txt`), 'hit\n'.repeat(50))))
  const stop = new AbortController()
  stop.abort()

  const stopped = await gate.as({ signal: stop.signal }).call('search_code', { pattern: 'hit' })
  const capped = await gate.call('search_code', { pattern: 'hit' })

  assert.equal(stopped.outcome, 'interrupted')
  assert.match(capped.output, /\[100 of more than 5000 matches shown/)
})

test('[G33] a pipe or a device is not searched: it would be read for ever', async (t) => {
  const gate = await openTestGate(t)
  execFileSync('mkfifo', [join(gate.root, 'pipe')])

  const named = await gate.call('search_code', { pattern: 'x', path: 'pipe' })
  const around = await gate.call('search_code', { pattern: 'x' })

  assert.match(named.output, /^bad_input: pipe is neither a file nor a directory/)
  assert.equal(around.output, 'nothing matches x')
})
