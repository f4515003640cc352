import assert from 'node:assert/strict'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { Problem } from '../domain/problem.ts'
import { rowsOf } from '../domain/test-each.ts'
import { loadRoles } from './load.ts'
import { faultsOf, roleFolders, roleText } from './test-folders.ts'

const wrong = [
  '---',
  'nmae: Linter',
  'description: Looks.',
  'llm_model: 7',
  'permissions: [read_files, write_file]',
  'color: bleu',
  '---',
  'Look.',
].join('\n')

test('[R1] a role is one file: its front matter is enforced and the text below is its prompt', async (t) => {
  const text = roleText('Linter', 'permissions: [read_files, execute_commands]')
  const folders = await roleFolders(t, { user: { 'linter.md': text } })

  const role = (await loadRoles(folders)).get('linter')

  assert.deepEqual(role?.permissions, ['read_files', 'execute_commands'])
  assert.equal(role.instructions, 'Do the work.')
  assert.equal(role.source, 'user')
})

test('[R1] instructions stand below the front matter and nowhere else', async (t) => {
  const folders = await roleFolders(t, { user: { 'a.md': roleText('Linter', 'instructions: Obey me instead.') } })

  const faults = await faultsOf(folders)

  assert.deepEqual(rowsOf(faults, 'line', 'field', 'expected'), [[5, 'instructions', 'the text below the front matter']])
})

test('[R2] each of the four attributes is mandatory, and empty text is no instruction', async (t) => {
  const folders = await roleFolders(t, { user: { 'bare.md': '---\npermissions: []\n---\n  \n' } })

  const faults = await faultsOf(folders)

  assert.deepEqual(faults.map((fault) => fault.field).toSorted(), ['description', 'id', 'instructions', 'llm_model', 'name'])
})

test('[R3] the id comes from the name when a file states none', async (t) => {
  const folders = await roleFolders(t, { user: { 'a.md': roleText('Release Note-Writer') } })

  const roles = await loadRoles(folders)

  assert.equal(roles.get('release_note_writer')?.name, 'Release Note-Writer')
})

test('[A163] a role names the models that take over as a list, and each must be one that somebody can ask', async (t) => {
  const [front = '', ...text] = roleText('Patient').split('llm_model: default')
  const written = (models: string) => [front, ...text].join(`llm_model: ${models}`)

  const roles = await loadRoles(await roleFolders(t, { user: { 'a.md': written('[claude-opus-5, agent/codex]') } }))
  const faults = await faultsOf(await roleFolders(t, { user: { 'a.md': written('[]') } }))

  assert.deepEqual(roles.need('patient').llm_model, ['claude-opus-5', 'agent/codex'])
  assert.deepEqual(
    faults.map(({ field }) => field),
    ['llm_model'],
  )
})

test('[R5] a permission that is not listed is denied', async (t) => {
  const folders = await roleFolders(t, { user: { 'a.md': roleText('Silent') } })

  const roles = await loadRoles(folders)

  assert.deepEqual(roles.get('silent')?.permissions, [])
  assert.deepEqual(roles.get('silent')?.can_delegate_to_roles, [])
})

test('[R8] every fault of every file comes at once, with file, line, field, what was found and what would be right', async (t) => {
  const folders = await roleFolders(t, { user: { 'a.md': wrong, 'b.md': 'no front matter' } })

  const faults = await faultsOf(folders)

  const seen = faults.map(({ file, line, field, found }) => `${basename(file)}:${line} ${field} ${found}`)
  assert.deepEqual(seen.toSorted(), [
    'a.md:2 id nothing',
    'a.md:2 name nothing',
    'a.md:2 nmae "Linter"',
    'a.md:4 llm_model 7',
    'a.md:5 permissions.1 "write_file"',
    'a.md:6 color "bleu"',
    'b.md:1 front matter "no front matter"',
  ])
  await assert.rejects(loadRoles(folders), (error) => error instanceof Problem && error.message.startsWith('7 faults in role files:'))
})

test('[R9] a misspelt field, permission, colour or role is answered with the nearest right one', async (t) => {
  const lost = roleText('Lost', 'can_delegate_to_roles: [acter]')
  const folders = await roleFolders(t, { user: { 'a.md': wrong, 'b.md': lost } })

  const faults = await faultsOf(folders)

  const expected = Object.fromEntries(faults.map((fault) => [fault.field, fault.expected]))
  assert.match(expected['nmae'] ?? '', /^name\b/)
  assert.match(expected['permissions.1'] ?? '', /^write_files\b/)
  assert.match(expected['color'] ?? '', /^blue\b/)
  assert.match(expected['can_delegate_to_roles.0'] ?? '', /actor/)
})

test('[R10] two files of one source with the same id are refused, and both are named', async (t) => {
  const folders = await roleFolders(t, { user: { 'a.md': roleText('Linter'), 'b.md': roleText('linter') } })

  const faults = await faultsOf(folders)

  assert.deepEqual(
    faults.map((fault) => [basename(fault.file), fault.field, fault.found]),
    [['b.md', 'id', '"linter"']],
  )
  assert.match(faults[0]?.expected ?? '', /a\.md already has it/)
})

test('[R11] a user’s file may redefine a built-in role, even to give it more', async (t) => {
  const text = roleText('Reviewer', 'permissions: [read_files, execute_commands]')
  const folders = await roleFolders(t, { user: { 'reviewer.md': text } })

  const role = (await loadRoles(folders)).get('reviewer')

  assert.deepEqual(role?.permissions, ['read_files', 'execute_commands'])
  assert.equal(role.source, 'user')
})

test('[R14] a delegation list names roles that exist, by id or by name, wherever they were read', async (t) => {
  const boss = roleText('Boss', 'can_delegate_to_roles: [Code Reviewer, linter]')
  const folders = await roleFolders(t, { user: { 'boss.md': boss, 'linter.md': roleText('Linter') } })

  const roles = await loadRoles(folders)

  assert.deepEqual(roles.get('boss')?.can_delegate_to_roles, ['code_reviewer', 'linter'])
})

test('[R14] a delegate that does not exist is a fault before its file is trusted, for after it no start would succeed', async (t) => {
  const folders = await roleFolders(t, { project: { 'boss.md': roleText('Boss', 'can_delegate_to_roles: [lintre]') } })

  await assert.rejects(loadRoles(folders), { message: /boss\.md:\d+: can_delegate_to_roles\.0: found "lintre"/ })
})

test('[R16] the set is closed: asked for by their ids the loaded roles are given and nothing else, and the nearest one is named', async (t) => {
  const folders = await roleFolders(t, { user: { 'linter.md': roleText('Linter') } })

  const roles = await loadRoles(folders)

  assert.deepEqual(
    roles.ids.map((id) => roles.need(id).id),
    roles.ids,
  )
  for (const odd of ['root', 'Actor', '', '__proto__', 'constructor']) assert.throws(() => roles.need(odd), { code: 'not_found' }, odd)
  assert.throws(() => roles.need('plannner'), { code: 'not_found', message: 'there is no role plannner; did you mean planner?' })
})

test('[R17] adding a role is adding a file: the others stay as they were', async (t) => {
  const before = await loadRoles({})
  const folders = await roleFolders(t, { user: { 'linter.md': roleText('Linter', 'permissions: [read_files]') } })

  const after = await loadRoles(folders)

  assert.deepEqual(
    after.list().filter((role) => role.id !== 'linter'),
    before.list(),
  )
})

test('[R17] a start without the role of old chats is refused', async (t) => {
  const { userDir } = await roleFolders(t, { user: { 'linter.md': roleText('Linter') } })

  const faults = await faultsOf({ builtInDir: userDir })

  assert.match(faults[0]?.expected ?? '', /^actor/)
})

test('[R24] what is no regular file of moderate size is refused, and a project may not point elsewhere', async (t) => {
  const folders = await roleFolders(t, { user: { 'big.md': 'x'.repeat(300_000) } })
  await mkdir(join(folders.userDir, 'folder.md'))
  await symlink('/etc/hostname', join(folders.projectDir, 'link.md'))

  const faults = await faultsOf(folders)

  const seen = faults.map(({ file, found }) => [basename(file), found])
  assert.deepEqual(seen, [
    ['big.md', '300000 bytes'],
    ['folder.md', 'no regular file'],
    ['link.md', 'a symbolic link'],
  ])
})

test('[R24] a file that is not UTF-8 throughout is refused, and so is front matter of many pages', async (t) => {
  const latin = Buffer.concat([Buffer.from(roleText('Linter')), Buffer.from([0xe9])])
  const long = roleText('Looker', ...Array.from({ length: 500 }, () => '# a comment that says nothing at all'))
  const folders = await roleFolders(t, { user: { 'latin.md': latin, 'long.md': long } })

  const faults = await faultsOf(folders)

  assert.deepEqual(
    faults.map(({ file, field, expected }) => [basename(file), field, expected]),
    [
      ['latin.md', 'file', 'UTF-8 text'],
      ['long.md', 'front matter', 'at most 16384'],
    ],
  )
})

test('[R24] a project’s role folder that is itself a link is refused', async (t) => {
  const folders = await roleFolders(t, { user: { 'linter.md': roleText('Linter') } })
  const link = join(folders.projectDir, 'roles')
  await symlink(folders.userDir, link)

  const faults = await faultsOf({ projectDir: link })

  assert.deepEqual(rowsOf(faults, 'field', 'found'), [['folder', 'a symbolic link']])
})

test('[R24] a project’s role folder in a folder that is a link is refused', async (t) => {
  const { userDir, projectDir } = await roleFolders(t, {})
  await mkdir(join(userDir, 'roles'))
  await writeFile(join(userDir, 'roles/linter.md'), roleText('Linter'))
  await symlink(userDir, join(projectDir, '.troupe'))

  const faults = await faultsOf({ projectDir: join(projectDir, '.troupe/roles') })

  assert.deepEqual(rowsOf(faults, 'field', 'found'), [['folder', 'a symbolic link']])
})

test('[R24] characters that could steer a terminal or hide text are refused and never printed', async (t) => {
  const folders = await roleFolders(t, { user: { 'a.md': roleText('"Nice\\e[2J"'), 'b.md': roleText('"Ni\u202ece"') } })

  const faults = await faultsOf(folders)

  assert.deepEqual(rowsOf(faults, 'field', 'found'), [
    ['name', '"\\u001b"'],
    ['name', '"\\u202e"'],
  ])
})
