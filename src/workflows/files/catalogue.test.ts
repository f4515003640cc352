import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { each } from '../../domain/test-each.ts'
import { openCatalogue, workflowFolders } from './catalogue.ts'
import { faultLine } from './read.ts'

const workflow = (id: string, more: object = {}) => ({
  id,
  name: id,
  description: 'For a test.',
  version: '1.0.0',
  steps: [{ id: 'one', title: 'One', prompt: 'Do one.' }],
  ...more,
})

test('[W14] built-in, user, project and listed folders are read, and the later one wins', async (t) => {
  const { write, catalogue } = aMachine(t)
  write('config/troupe/workflows/a.json', workflow('same-id', { name: 'user' }))
  write(
    'project/.troupe/workflows/a.yaml',
    'id: same-id\nname: project\ndescription: d\nversion: 1.0.0\nsteps:\n  - {id: one, title: One, prompt: Do}\n',
  )
  write('listed/a.json', workflow('same-id', { name: 'listed' }))

  const { entries, refused } = await catalogue.read()

  const entry = entries.get('same-id')
  assert.equal(entry?.workflow.name, 'listed')
  assert.deepEqual(each(entry.shadows, 'source'), ['user', 'project'])
  assert.deepEqual(refused, [])
})

test('[W15] a refused file is listed with file, line, field and fix, and never silently dropped', async (t) => {
  const { write, catalogue } = aMachine(t)
  const bad = write(
    'project/.troupe/workflows/bad.json',
    JSON.stringify(workflow('bad-one', { steps: [{ id: 'one', title: 'One', prompt: 'x', agentRole: 'short' }] }), null, 2),
  )
  const broken = write('project/.troupe/workflows/broken.json', '{\n  "id": "abc",\n  oops\n}')
  const misspelt = write(
    'project/.troupe/workflows/misspelt.yaml',
    'id: abc\nnam: x\ndescription: d\nversion: 1.0.0\nsteps:\n  - {id: one, title: One, prompt: Do}\n',
  )

  const { entries, refused } = await catalogue.read()

  assert.equal(entries.has('bad-one'), false)
  const lines = refused.map(faultLine)
  assert.ok(
    lines.includes(`${bad}:11: steps.0.agentRole: is 5 characters; at least 10; see the schema of workflow files`),
    lines.join('\n'),
  )
  assert.ok(
    lines.some((line) => line.startsWith(`${broken}:3: JSON:`)),
    lines.join('\n'),
  )
  assert.ok(
    lines.some((line) => line.startsWith(`${misspelt}:2: nam: is not a field here; did you mean name?`)),
    lines.join('\n'),
  )
})

test('[W15] asking for a workflow whose file was refused says so, once for the file and of no other', async (t) => {
  const { write, catalogue } = aMachine(t)
  write('project/.troupe/workflows/my-flow.json', workflow('my-flow', { version: 'one', name: 3 }))
  write('project/.troupe/workflows/other.yaml', 'id: [')

  const asking = catalogue.find('flow')
  const { refused } = await catalogue.read()

  const text = /known: [\w, -]*; a file was refused: \S*my-flow\.json:1: name: is 3; expected text; [^;]* \(and 1 more fault\)$/
  await assert.rejects(asking, (error: Error) => text.test(error.message) || assert.fail(error.message))
  assert.ok(refused.every(({ file, field }) => !file.endsWith('other.yaml') || field === 'YAML'))
})

test('[W15] hostile files are refused, not read: too deep, too large, hidden characters, links, unknown formats', async (t) => {
  const { write, catalogue, root } = aMachine(t)
  write('project/.troupe/workflows/deep.json', `{"id":"abc","x":${'{"not":'.repeat(20_000)}1${'}'.repeat(20_000)}}`)
  write('project/.troupe/workflows/large.json', `"${'x'.repeat(1024 * 1024)}"`)
  write('project/.troupe/workflows/newer.json', workflow('newer-one', { formatVersion: 2 }))
  write('project/.troupe/workflows/hidden.json', workflow('hidden-one', { name: 'plain \u202e reversed' }))
  write('project/.troupe/workflows/bomb.yaml', 'a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n')
  symlinkSync(write('secret.json', '{"password": "hunter2"}'), join(root, 'project/.troupe/workflows/link.json'))

  const { refused } = await catalogue.read()

  const files = new Set(refused.map(({ file }) => file.split('/').at(-1)))
  assert.deepEqual([...files], ['bomb.yaml', 'deep.json', 'hidden.json', 'large.json', 'link.json', 'newer.json'])
  assert.ok(!JSON.stringify(refused).includes('hunter2'))
})

test('[W15] a file nested deeper than any reader can follow is told so, in JSON and in YAML', async (t) => {
  const { write, catalogue } = aMachine(t)
  const nested = `{"id":"abc","x":${'['.repeat(3000)}${']'.repeat(3000)}}`
  const files = [write('project/.troupe/workflows/deep.json', nested), write('project/.troupe/workflows/deep.yaml', nested)]

  const { refused } = await catalogue.read()

  assert.deepEqual(
    refused.map(({ file, problem }) => [file, problem]),
    files.map((file) => [file, 'nested deeper than 64 levels']),
  )
})

test('[W15] a file that cannot be read is refused alone, and the others are found', async (t) => {
  const { write, catalogue, root } = aMachine(t)
  write('listed/good.json', workflow('good-one'))
  symlinkSync('/proc/self/mem', join(root, 'listed/broken.json'))

  const { entries, refused } = await catalogue.read()

  assert.ok(entries.has('good-one'))
  assert.deepEqual(
    refused.map(({ file, problem }) => [file.split('/').at(-1), problem]),
    [['broken.json', 'cannot be read (EIO)']],
  )
})

test('[W14] folders within a workflow folder are read too, and what is written there later is seen', async (t) => {
  const { write, catalogue } = aMachine(t)
  write('project/.troupe/workflows/team/one.json', workflow('first-one'))
  const before = [...(await catalogue.read()).entries.keys()].filter((id) => id.endsWith('-one'))

  write('project/.troupe/workflows/team/deep/two.json', workflow('second-one'))
  write('project/.troupe/workflows/.hidden/three.json', workflow('third-one'))
  const after = [...(await catalogue.read()).entries.keys()].filter((id) => id.endsWith('-one'))

  assert.deepEqual([before, after], [['first-one'], ['first-one', 'second-one']])
})

test('[W14] a file that begins with a byte order mark, or whose name ends in capitals, is read like any other', async (t) => {
  const { write, catalogue } = aMachine(t)
  write('project/.troupe/workflows/marked.json', `\uFEFF${JSON.stringify(workflow('marked-one'))}`)
  write('project/.troupe/workflows/LOUD.JSON', workflow('loud-one'))

  const { entries, refused } = await catalogue.read()

  assert.deepEqual([entries.has('marked-one'), entries.has('loud-one'), refused], [true, true, []])
})

test('[W15] a project’s folder that is a link to another is refused, and nothing in it is read', async (t) => {
  const { write, catalogue, root } = aMachine(t)
  write('elsewhere/secret.json', '{"hunter2": true}')
  write('project/.troupe/config.yaml', '')
  symlinkSync(join(root, 'elsewhere'), join(root, 'project/.troupe/workflows'))

  const { refused } = await catalogue.read()

  assert.deepEqual(
    refused.map(({ file, problem }) => [file.split('/').at(-1), problem]),
    [['workflows', 'not a file that can be read']],
  )
})

test('[W15] a file in the place of .troupe is a project without workflows, and hides no other', async (t) => {
  const { write, catalogue } = aMachine(t)
  write('project/.troupe', 'no folder')
  write('listed/one.json', workflow('listed-one'))

  const { entries, refused } = await catalogue.read()

  assert.ok(entries.has('listed-one'))
  assert.deepEqual(refused, [])
})

test('[W16] a workflow that is asked for again and again is the one that is in its file', async (t) => {
  const { write, catalogue } = aMachine(t)
  const seen: string[] = []

  for (const name of ['one', 'two', 'three']) {
    write('project/.troupe/workflows/a.json', workflow('first-one', { name }))
    for (let times = 0; times < 3; times++) seen.push((await catalogue.find('first-one')).workflow.name)
  }

  assert.deepEqual(seen, ['one', 'one', 'one', 'two', 'two', 'two', 'three', 'three', 'three'])
})

test('[W16] an edit, a new file and a removed file are seen with the next reading', async (t) => {
  const { write, catalogue } = aMachine(t)
  const file = write('project/.troupe/workflows/a.json', workflow('first-one', { name: 'before' }))
  const names = async () =>
    [...(await catalogue.read()).entries.values()].filter(({ source }) => source === 'project').map((entry) => entry.workflow.name)

  const seen = [await names()]
  write('project/.troupe/workflows/a.json', workflow('first-one', { name: 'after!' }))
  seen.push(await names())
  write('project/.troupe/workflows/b.json', workflow('second-one', { name: 'new' }))
  seen.push(await names())
  rmSync(file)
  seen.push(await names())

  assert.deepEqual(seen, [['before'], ['after!'], ['after!', 'new'], ['new']])
})

test('[W17] a project that takes the id of a built-in workflow is refused unless it says so', async (t) => {
  const { write, catalogue } = aMachine(t)
  const builtIn = [...(await catalogue.read()).entries.values()].find(({ source }) => source === 'built-in')
  assert.ok(builtIn)
  const { id } = builtIn.workflow

  write('project/.troupe/workflows/quiet.json', workflow(id))
  const quiet = await catalogue.read()
  write('project/.troupe/workflows/quiet.json', workflow(id, { replaces: 'built-in' }))
  const loud = await catalogue.read()

  assert.equal(quiet.entries.get(id)?.source, 'built-in')
  assert.equal(quiet.refused[0]?.fix, 'choose another id, or say "replaces": "built-in"')
  assert.deepEqual([loud.entries.get(id)?.source, loud.entries.get(id)?.shadows[0]?.source], ['project', 'built-in'])
})

test('[W17] two files of one folder cannot share an id', async (t) => {
  const { write, catalogue } = aMachine(t)
  write('project/.troupe/workflows/a.json', workflow('same-id', { name: 'first' }))
  write('project/.troupe/workflows/b.json', workflow('same-id', { name: 'second' }))

  const { entries, refused } = await catalogue.read()

  assert.equal(entries.get('same-id')?.workflow.name, 'first')
  assert.match(refused[0]?.problem ?? '', /"same-id" is also the id of .*a\.json/)
})

function aMachine(t: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'troupe-workflows-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const env = { HOME: root, XDG_CONFIG_HOME: join(root, 'config'), TROUPE_WORKFLOW_PATH: join(root, 'listed') }
  return {
    root,
    catalogue: openCatalogue(workflowFolders(join(root, 'project'), env)),
    write: (path: string, content: string | object) => {
      const file = join(root, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
      return file
    },
  }
}
