import assert from 'node:assert/strict'
import { chmod, chown, lstat, readdir, readFile, readlink, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseApprove } from './approvals.ts'
import { openTestGate } from './test-gate.ts'

test('[G24] create_file makes a new file and its folders, and leaves an existing one alone', async (t) => {
  const gate = await openTestGate(t, { 'there.txt': 'there' })

  const made = await gate.call('create_file', { path: 'a/b/new.txt', content: 'new' })
  const taken = await gate.call('create_file', { path: 'there.txt', content: 'lost' })

  assert.deepEqual([made.outcome, taken.outcome], ['ok', 'error'])
  assert.match(taken.output, /there\.txt exists already; update_file changes/)
  assert.equal(await readFile(join(gate.root, 'a/b/new.txt'), 'utf8'), 'new')
  assert.equal(await readFile(join(gate.root, 'there.txt'), 'utf8'), 'there')
})

test('[G24] create_file does not write through a dangling link', async (t) => {
  const gate = await openTestGate(t)
  await symlink(join(gate.root, 'target'), join(gate.root, 'link'))

  await gate.call('create_file', { path: 'link', content: 'x' })

  assert.equal((await lstat(join(gate.root, 'link'))).isSymbolicLink(), true)
})

test('[G25] update_file replaces exact text and keeps mode and line ends', async (t) => {
  const gate = await openTestGate(t, { 'run.sh': '\uFEFFone\r\ntwo $& \r\nthree\r\n' })
  await chmod(join(gate.root, 'run.sh'), 0o750)

  const result = await gate.call('update_file', { path: 'run.sh', old_text: 'two $& \nthree', new_text: "zwei $'\ndrei" })

  assert.equal(result.outcome, 'ok')
  assert.equal(await readFile(join(gate.root, 'run.sh'), 'utf8'), "\uFEFFone\r\nzwei $'\r\ndrei\r\n")
  assert.equal((await stat(join(gate.root, 'run.sh'))).mode & 0o777, 0o750)
})

test(
  '[G25] update_file keeps the owner of a file',
  { skip: process.getuid?.() !== 0 && 'only root can give a file to someone else' },
  async (t) => {
    const gate = await openTestGate(t, { 'a.txt': 'a' })
    await chown(join(gate.root, 'a.txt'), 1234, 1234)

    await gate.call('update_file', { path: 'a.txt', old_text: 'a', new_text: 'b' })

    const { uid, gid } = await stat(join(gate.root, 'a.txt'))
    assert.deepEqual([uid, gid], [1234, 1234])
  },
)

test('[G25] a missing match is refused with the nearest lines, an ambiguous one with its places', async (t) => {
  const content = 'import a\n\nfunction first() {\n  return 1\n}\n\nfunction second() {\n  return 1\n}\n'
  const gate = await openTestGate(t, { 'a.ts': content })

  const missing = await gate.call('update_file', { path: 'a.ts', old_text: 'function  second () {\n  return 2', new_text: 'x' })
  const ambiguous = await gate.call('update_file', { path: 'a.ts', old_text: '  return 1', new_text: '  return 2' })
  const same = await gate.call('update_file', { path: 'a.ts', old_text: 'a', new_text: 'a' })

  assert.match(missing.output, /does not occur in a\.ts\. The nearest lines are:\n6\t\n7\tfunction second\(\) \{\n8\t {2}return 1\n/)
  assert.match(ambiguous.output, /occurs 2 times in a\.ts, at lines 4, 8; give more of the text around it, or set replace_all/)
  assert.match(same.output, /the same/)
  assert.equal(await readFile(join(gate.root, 'a.ts'), 'utf8'), content)
})

test('[G25] replace_all replaces every match', async (t) => {
  const gate = await openTestGate(t, { 'a.txt': 'x y x y x' })

  await gate.call('update_file', { path: 'a.txt', old_text: 'x', new_text: 'z', replace_all: true })

  assert.equal(await readFile(join(gate.root, 'a.txt'), 'utf8'), 'z y z y z')
})

test('[G26] a file that someone changed after the preview is left as it is', async (t) => {
  const gate = await openTestGate(t, { 'a.txt': 'a', 'b.txt': 'b' })
  const path = (name: string) => join(gate.root, name)
  const racing = gate.as({
    approvals: parseApprove('delete_file=allow'),
    recordStart: ({ previewed }) => writeFile(path(String(previewed.path)), 'someone else: a'),
  })

  const update = await racing.call('update_file', { path: 'a.txt', old_text: 'a', new_text: 'z' })
  const remove = await racing.call('delete_file', { path: 'b.txt' })
  const create = await racing.call('create_file', { path: 'c.txt', content: 'mine' })

  for (const result of [update, remove, create]) assert.match(result.output, /^conflict: [abc]\.txt was changed by someone else/)
  for (const name of ['a.txt', 'b.txt', 'c.txt']) assert.equal(await readFile(path(name), 'utf8'), 'someone else: a')
})

test('[G27] a change goes through a link to its file in one step and leaves nothing beside it', async (t) => {
  const gate = await openTestGate(t, { 'real.txt': 'a' })
  await symlink('real.txt', join(gate.root, 'link.txt'))
  const before = await stat(join(gate.root, 'real.txt'))

  await gate.call('update_file', { path: 'link.txt', old_text: 'a', new_text: 'b' })
  await gate.call('update_file', { path: 'real.txt', old_text: 'missing', new_text: 'b' })

  assert.deepEqual((await readdir(gate.root)).toSorted(), ['link.txt', 'real.txt'])
  assert.equal(await readlink(join(gate.root, 'link.txt')), 'real.txt')
  assert.equal(await readFile(join(gate.root, 'real.txt'), 'utf8'), 'b')
  assert.notEqual((await stat(join(gate.root, 'real.txt'))).ino, before.ino)
})

test('[G13] deleting a link deletes the link, not its target; a folder is refused', async (t) => {
  const gate = (await openTestGate(t, { 'dir/real.txt': 'a' })).as({ approvals: parseApprove('delete_file=allow') })
  await symlink('dir/real.txt', join(gate.root, 'link.txt'))

  const link = await gate.call('delete_file', { path: 'link.txt' })
  const folder = await gate.call('delete_file', { path: 'dir' })

  assert.equal(link.outcome, 'ok')
  assert.match(folder.output, /dir is not a file/)
  assert.deepEqual(await readdir(gate.root), ['dir'])
  assert.deepEqual(await readdir(join(gate.root, 'dir')), ['real.txt'])
})

test('[G28] read_file shows what fits and how to go on', async (t) => {
  const gate = await openTestGate(t, { 'long.txt': 'line\n'.repeat(5_000), 'wide.txt': 'x'.repeat(10_000) })

  const long = await gate.call('read_file', { path: 'long.txt' })
  const wide = await gate.call('read_file', { path: 'wide.txt' })

  assert.match(long.output, /\n2000\tline\n\[lines 1 to 2000 of 5000 shown; continue with start_line 2001\]$/)
  assert.match(wide.output, /x\[… 8000 characters cut\]$/)
})

test('[G29] a binary file is recognised, and one that is not UTF-8 is shown with a note and never written back', async (t) => {
  const latin = Buffer.from('caf\xe9 au lait', 'latin1')
  const gate = await openTestGate(t, { 'honest.txt': 'a \uFFFD b' })
  await writeFile(join(gate.root, 'a.png'), Buffer.from([0x89, 0x50, 0, 1]))
  await writeFile(join(gate.root, 'latin.txt'), latin)

  const binary = await gate.call('read_file', { path: 'a.png' })
  const shown = await gate.call('read_file', { path: 'latin.txt' })
  const changed = await gate.call('update_file', { path: 'latin.txt', old_text: 'lait', new_text: 'miel' })
  const honest = await gate.call('update_file', { path: 'honest.txt', old_text: 'a', new_text: 'c' })

  assert.match(binary.output, /a\.png is a binary file of 4 bytes/)
  assert.match(shown.output, /1\tcaf\uFFFD au lait\n\[some bytes are not UTF-8/)
  assert.match(changed.output, /not UTF-8 throughout/)
  assert.deepEqual(await readFile(join(gate.root, 'latin.txt')), latin)
  assert.equal(honest.outcome, 'ok')
})

test('[G30] read_file shows a range of lines, and says when a range is none', async (t) => {
  const gate = await openTestGate(t, { 'a.txt': 'one\ntwo\nthree\nfour', 'empty.txt': '' })

  const range = await gate.call('read_file', { path: 'a.txt', start_line: 2, end_line: 3 })
  const beyond = await gate.call('read_file', { path: 'a.txt', start_line: 9 })
  const backwards = await gate.call('read_file', { path: 'a.txt', start_line: 3, end_line: 2 })
  const empty = await gate.call('read_file', { path: 'empty.txt' })

  assert.equal(range.output, '2\ttwo\n3\tthree')
  assert.match(beyond.output, /has 4 lines; start_line 9 is past its end/)
  assert.match(backwards.output, /end_line 2 is before start_line 3/)
  assert.equal(empty.output, '[the file is empty]')
})

test('[G31] list_directory shows folders, sizes and links, and follows no link', async (t) => {
  const gate = await openTestGate(t, { 'src/a.ts': 'abc', 'src/deep/b.ts': '', 'README.md': 'hi' })
  await symlink('/etc', join(gate.root, 'outside'))

  const flat = await gate.call('list_directory', {})
  const deep = await gate.call('list_directory', { path: 'src', depth: 2 })
  const file = await gate.call('list_directory', { path: 'README.md' })

  assert.equal(flat.output, 'README.md  2\noutside -> /etc\nsrc/')
  assert.equal(deep.output, 'a.ts  3\ndeep/\n  b.ts  0')
  assert.match(file.output, /README\.md is a file, not a directory/)
})
