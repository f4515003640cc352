import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { PLANTED, plantedWorkflow } from '../../mcp/test-client.ts'
import { anAccount } from '../test-account.ts'

const path = 'project/.troupe/workflows/planted.json'

test('[W34] workflows are listed, shown and checked from the command line', async (t) => {
  const account = await anAccount(t)
  const good = await account.write(path, JSON.stringify(plantedWorkflow))
  const bad = await account.write('project/.troupe/workflows/bad.json', '{\n  "id": "bad-one"\n}')

  const list = await account.troupe('workflow')
  const show = await account.troupe('workflow', 'show', 'planted')
  const fine = await account.troupe('workflow', 'validate', good)
  const refused = await account.troupe('workflow', 'validate', good, bad)

  assert.match(list.stdout, /planted +1\.0\.0 +project +Planted/)
  assert.match(list.stderr, /refused: .*bad\.json:1: name:/)
  assert.match(show.stdout, /Do the first thing\./)
  assert.deepEqual([fine.code, refused.code], [0, 42])
  assert.match(refused.stdout, /bad\.json:1: steps: .*expected a list/)
})

test('[W34] a new workflow is written as a valid draft, and never over another', async (t) => {
  const account = await anAccount(t)

  const made = await account.troupe('workflow', 'new', 'my-flow')
  const again = await account.troupe('workflow', 'new', 'my-flow')
  const valid = await account.troupe('workflow', 'validate', '.troupe/workflows/my-flow.json')

  assert.deepEqual([made.code, again.code, valid.code], [0, 42, 0])
  assert.match(again.stderr, /my-flow\.json; edit that file, or choose another id/)
})

test('[W110] a new workflow names the schema that is written beside it', async (t) => {
  const account = await anAccount(t)

  await account.troupe('workflow', 'new', 'my-flow')
  await account.troupe('workflow', 'new', 'my-copy', '--from', 'code-review')

  const folder = join(account.project, '.troupe/workflows')
  const named = await Promise.all(
    ['my-flow.json', 'my-copy.json'].map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8')).$schema),
  )
  const published = await readFile(join(import.meta.dirname, '../../../schemas/workflow.schema.json'), 'utf8')
  assert.deepEqual(named, ['../workflow.schema.json', '../workflow.schema.json'])
  assert.equal(await readFile(join(folder, '../workflow.schema.json'), 'utf8'), published)
})

test('[W17] a new workflow takes no id that is taken, be it built in or in a file of another name', async (t) => {
  const account = await anAccount(t)
  await account.write('project/.troupe/workflows/mine.yaml', JSON.stringify({ ...plantedWorkflow, id: 'my-own' }))

  const builtIn = await account.troupe('workflow', 'new', 'code-review')
  const mine = await account.troupe('workflow', 'new', 'my-own')

  assert.deepEqual([builtIn.code, mine.code], [42, 42])
  assert.match(builtIn.stderr, /"code-review" is the id of a built-in workflow; choose another/)
  assert.match(mine.stderr, /"my-own" is already the id of .*mine\.yaml; edit that file, or choose another id/)
  assert.deepEqual(await readdir(join(account.project, '.troupe/workflows')), ['mine.yaml'])
})

test('[W34] a file is checked as it would be read in its place, and its roles against those of this folder', async (t) => {
  const account = await anAccount(t)
  const steps = ['reviewer', 'nobody'].map((role) => ({ id: role, title: role, prompt: 'Do it.', role }))
  await account.write('project/.troupe/workflows/taken.json', JSON.stringify({ ...plantedWorkflow, id: 'code-review' }))
  await account.write('project/roles.json', JSON.stringify({ ...plantedWorkflow, steps }, null, 2))

  const taken = await account.troupe('workflow', 'validate', '.troupe/workflows/taken.json')
  const unknown = await account.troupe('workflow', 'validate', 'roles.json')

  assert.deepEqual([taken.code, unknown.code], [42, 42])
  assert.match(taken.stdout, /taken\.json:1: id: "code-review" is a built-in workflow; choose another id, or say "replaces": "built-in"/)
  assert.match(unknown.stdout, /^roles\.json:\d+: steps\.1\.role: there is no role "nobody"; name one of: .*reviewer.*\n$/)
})

test('[W34] the schema that is printed is the published one', async (t) => {
  const account = await anAccount(t)

  const { stdout } = await account.troupe('workflow', 'schema')

  assert.equal(stdout, await readFile(join(import.meta.dirname, '../../../schemas/workflow.schema.json'), 'utf8'))
})

test('[W35] migrating shows the difference and writes only when told to', async (t) => {
  const account = await anAccount(t)
  const old = JSON.stringify({
    ...plantedWorkflow,
    steps: [{ id: 'one', title: 'One', prompt: "**Agent's Role:** Act as a code reviewer.\n\nPlease review." }],
  })
  const file = await account.write('project/old.json', old)

  const shown = await account.troupe('workflow', 'migrate', 'old.json')
  const before = await readFile(file, 'utf8')
  const written = await account.troupe('workflow', 'migrate', 'old.json', '--write')

  assert.match(shown.stdout, /\+.*"agentRole": "Act as a code reviewer\."/)
  assert.equal(before, old)
  assert.equal(written.code, 0)
  const { steps } = JSON.parse(await readFile(file, 'utf8'))
  assert.deepEqual(steps, [{ id: 'one', title: 'One', prompt: 'Please review.', agentRole: 'Act as a code reviewer.' }])
})

test('[W34] a run is started, followed, confirmed by its code and looked at from the command line', async (t) => {
  const account = await withPlanted(t)

  const start = await account.troupe('workflow', 'start', 'planted', '--context', '{"size": "Small"}')
  const second = await account.troupe('workflow', 'advance', handleIn(start.stdout), '--output', 'did the first')
  await account.troupe('workflow', 'advance', handleIn(second.stdout), '--output', 'did the second')
  const shown = await account.troupe('workflow', 'status', handleIn(second.stdout))
  const code = /this code: (\w+)/.exec(shown.stdout)?.[1] ?? ''
  const done = await account.troupe('workflow', 'advance', handleIn(second.stdout), '--output', 'did the second', '--confirmation', code)
  const list = await account.troupe('workflow', 'runs')

  assert.match(second.stdout, /Second \(step 2 of 3; second-step\)/)
  assert.match(done.stdout, /The workflow is complete\./)
  assert.match(list.stdout, /planted +completed +2 done/)
})

test('[W13] no verb of the command line prints a role text, as text or as JSON', async (t) => {
  const account = await withPlanted(t)
  const started = await account.troupe('workflow', 'start', 'planted', '--json')
  const { run } = JSON.parse(started.stdout) as { run: string } // what `start --json` prints
  const calls = [
    ['list'],
    ['show', 'planted'],
    ['next', 'planted'],
    ['next', 'planted', '--completed-steps', 'first-step'],
    ['advance', run],
    ['advance', run, '--output', 'did the first'],
    ['runs'],
    ['status', run],
    ['validate', '.troupe/workflows/planted.json'],
  ]

  const printed = [started]
  for (const call of calls) printed.push(await account.troupe('workflow', ...call), await account.troupe('workflow', ...call, '--json'))

  assert.ok(PLANTED.startsWith('PLANTED'))
  for (const { stdout, stderr } of printed) assert.ok(!`${stdout}${stderr}`.includes('PLANTED'), stdout)
  assert.ok(printed.some(({ stdout }) => stdout.includes('Do the first thing.')))
})

function handleIn(stdout: string): string {
  return /run: (\S+)/.exec(stdout)?.[1] ?? ''
}

async function withPlanted(t: TestContext) {
  const account = await anAccount(t)
  await account.write(path, JSON.stringify(plantedWorkflow))
  return account
}
