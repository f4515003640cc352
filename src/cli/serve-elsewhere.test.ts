import assert from 'node:assert/strict'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { each } from '../domain/test-each.ts'
import { testFolder } from '../sandbox/test-folder.ts'
import { until } from '../sandbox/test-until.ts'
import { beginRepository } from '../worktrees/test-repository.ts'
import { anAccount, type Account } from './test-account.ts'
import { serving } from './test-serving.ts'

test('[P54] a chat is held to the roles and settings of its own folder, wherever the server was started', async (t) => {
  const account = await anAccount(t)
  const model = await greedyScript(account, 'Done.')
  const workspace = await strictRepository(account, 'actor')
  const { ask: send } = await serving(t, account)

  const { roles } = await send('GET', `/api/role/list?workspace=${workspace}`)
  const { id } = await send('POST', '/api/chat/create', { workspace, model })
  await send('POST', '/api/chat/send_message', { chat: id, text: 'go' })
  const read = () => send('GET', `/api/chat/show?chat=${id}`)
  await until(async () => (await read()).run.status !== 'running')

  const { messages } = await read()
  const results = messages.filter(({ type }: { type: string }) => type === 'tool_result')
  assert.deepEqual(each(results, 'outcome'), ['denied', 'denied'])
  assert.deepEqual((await readdir(workspace)).toSorted(), ['.git', '.troupe', 'a.txt'])
  assert.ok(roles.some((role: { id: string }) => role.id === 'guide'))
})

test('[P54] a turn is held to what the files of its folder say as it begins, whatever they said when the server read them first', async (t) => {
  const account = await anAccount(t)
  const tries = ['before.txt', 'after.txt'].flatMap((path) => [
    { calls: [{ tool: 'create_file', input: { path, content: '' } }] },
    { text: 'Done.' },
  ])
  const model = await account.script({ follow: 'thread', replies: tries })
  await account.write('elsewhere/note.txt', '')
  const { ask: send } = await serving(t, account)
  const workspace = join(account.home, 'elsewhere')
  const { id } = await send('POST', '/api/chat/create', { workspace, model })
  const turn = async () => {
    await send('POST', '/api/chat/send_message', { chat: id, text: 'go' })
    await until(async () => (await send('GET', `/api/chat/show?chat=${id}`)).run.status !== 'running')
  }

  await turn()
  await account.write('elsewhere/.troupe/config.yaml', 'approvals:\n  create_file: deny\n')
  await turn()

  assert.deepEqual((await readdir(workspace)).toSorted(), ['.troupe', 'before.txt', 'note.txt'])
})

test('[P54] a folder whose role files have a fault plays no turn and says why, and its chats can still be read', async (t) => {
  const account = await anAccount(t, { TMPDIR: await testFolder(t) }) // a killed process leaves things there
  await account.write('elsewhere/note.txt', '')
  const first = await serving(t, account)
  const { id } = await first.ask('POST', '/api/chat/create', { workspace: join(account.home, 'elsewhere') })
  first.child.kill('SIGKILL')
  await account.write('elsewhere/.troupe/roles/odd.md', 'no role')
  const { ask: send } = await serving(t, account)

  const { role_warning } = await send('GET', `/api/chat/show?chat=${id}`)
  const refused = await send('POST', '/api/chat/send_message', { chat: id, text: 'go' })

  assert.match(role_warning, /odd\.md/)
  assert.match(refused.error.message, /odd\.md/)
})

test('[J63] a job is held to the roles and settings of its own repository, wherever the server was started', async (t) => {
  const account = await anAccount(t)
  const model = await greedyScript(account, stuck)
  const source = await strictRepository(account, 'worker')
  const { ask: send } = await serving(t, account)

  const fields = { objective: 'Make files', worker_model: model, supervisor_role: 'guide' }
  const made = await send('POST', '/api/job/create', { id: 'made', source, activate: true, ...fields })
  await send('POST', '/api/job/start', { job: 'made' })
  const read = () => send('GET', '/api/job/status?job=made')
  await until(async () => (await read()).summary.status === 'INTERVENTION_REQUIRED')

  assert.equal(made.error, undefined, made.error?.message)
  const { job } = await read()
  assert.deepEqual((await readdir(job.workspace)).toSorted(), ['.git', 'a.txt'])
})

test('[J63] a command that is typed in one folder steps the job of another by the settings of that one', async (t) => {
  const account = await anAccount(t)
  const model = await greedyScript(account, stuck)
  const source = await strictRepository(account, 'worker')
  await account.troupe('job', 'create', 'made', '--source', source, '--objective', 'Make files', '--worker-model', model, '--activate')

  const stepped = await account.troupe('job', 'step', 'made', '--json')
  await account.troupe('job', 'resubmit', 'made', 'Go on')
  await account.write('elsewhere/.troupe/roles/odd.md', 'no role')
  const refused = await account.troupe('job', 'step', 'made')

  const { workspace } = JSON.parse(stepped.stdout)
  assert.deepEqual((await readdir(workspace)).toSorted(), ['.git', 'a.txt'])
  assert.match(refused.stderr, /odd\.md/)
})

test('[W98] a workflow is held to the roles, settings and limits of the folder it is played in, wherever the server was started', async (t) => {
  const account = await anAccount(t)
  const model = await greedyScript(account, 'Done.')
  const workspace = await strictRepository(account, 'actor', 'limits:\n  max_turns: 1\n')
  await account.write('project/.troupe/workflows/made.json', workflow)
  const { ask: send } = await serving(t, account)

  const { run } = await send('POST', '/api/workflow/play', { workflowId: 'made', workspace, model })
  const read = () => send('GET', `/api/workflow/show_run?run=${run}`)
  await until(async () => (await read()).play.status !== 'playing')

  assert.match((await read()).play.message, /did not finish in 1 turns/)
  assert.deepEqual((await readdir(workspace)).toSorted(), ['.git', '.troupe', 'a.txt'])
})

test('[W98] a folder whose role files have a fault is refused before a step of a workflow is played there', async (t) => {
  const account = await anAccount(t)
  await account.write('project/.troupe/workflows/made.json', workflow)
  await account.write('elsewhere/.troupe/roles/odd.md', 'no role')
  const { ask: send } = await serving(t, account)

  const refused = await send('POST', '/api/workflow/play', { workflowId: 'made', workspace: join(account.home, 'elsewhere') })

  assert.match(refused.error.message, /odd\.md/)
})

test('[B172] a team that a server starts is held to the settings at the top of its repository, wherever in it the server was started', async (t) => {
  const account = await anAccount(t)
  await beginRepository(account.project, { 'spec.md': '# Users' })
  await account.write('project/.troupe/config.yaml', 'model: nobody/knows\n')
  await mkdir(join(account.project, 'inside'))
  const { ask: send } = await serving(t, { ...account, project: join(account.project, 'inside') })

  const { id } = await send('POST', '/api/board/init', { goal: 'List the users', spec_ref: 'spec.md' })
  const refused = await send('POST', '/api/board/start_team', { board: id })

  assert.match(refused.error?.message ?? 'it was started', /nobody/)
})

test('[P61] a model that nobody could ask is refused where it is set for a chat or a workflow', async (t) => {
  const account = await anAccount(t)
  const { ask: send } = await serving(t, account)
  const { id } = await send('POST', '/api/chat/create', { workspace: account.project, model: 'rehearsal' })

  const wrong = ['house-model', 'nobody/knows', 'agent/none', 'openai/gpt-5', 'scripted:nowhere.json']
  const refused = await Promise.all(wrong.map((model) => send('POST', '/api/chat/configure', { chat: id, model })))
  const made = await send('POST', '/api/chat/create', { workspace: account.project, model: 'house-model' })
  const begun = await send('POST', '/api/workflow/play', {
    workflowId: 'bug-investigation',
    workspace: account.project,
    model: 'house-model',
  })

  const told = [
    /no provider is known for the model "house-model"/,
    /no provider "nobody"/,
    /no outside agent none/,
    /openai needs a key/,
    /nowhere\.json/,
  ]
  for (const [at, expected] of told.entries()) assert.match(refused[at].error.message, expected)
  for (const { error } of [made, begun]) assert.match(error.message, /no provider is known for the model "house-model"/)
  assert.equal((await send('GET', `/api/chat/show?chat=${id}`)).config.model, 'rehearsal')
})

const stuck = JSON.stringify({ action: 'STUCK', evidence_files: [], summary_for_supervisor: 'no' })
const steps = [{ id: 'only', title: 'Only', prompt: 'Make files.' }]
const workflow = JSON.stringify({ id: 'made', name: 'Made', description: 'For a test.', version: '1.0.0', steps })

/** A model that makes one file with a tool and one with a command, and then says this. */
async function greedyScript(account: Account, last: string): Promise<string> {
  const calls = [
    { tool: 'create_file', input: { path: 'made.txt', content: '' } },
    { tool: 'execute_command', input: { command: 'touch run.txt' } },
  ]
  return account.script({ follow: 'thread', replies: [{ calls }, { text: last }] })
}

/** A repository whose own files, which no commit holds, forbid one of its roles both ways to make a file and add a role. */
async function strictRepository(account: Account, role: string, more = ''): Promise<string> {
  const folder = join(account.home, 'elsewhere')
  await beginRepository(folder, { 'a.txt': 'one\n' })
  await account.write('elsewhere/.troupe/config.yaml', `approvals:\n  create_file: deny\n${more}`)
  await account.write(`elsewhere/.troupe/roles/${role}.md`, roleFile(role, 'read_files, create_files'))
  await account.write('elsewhere/.troupe/roles/guide.md', roleFile('guide', 'read_files'))
  return folder
}

/** A role file of a project, as short as it can be. */
function roleFile(id: string, permissions: string): string {
  return `---\nid: ${id}\nname: ${id}\ndescription: A role of the project.\nllm_model: default\npermissions: [${permissions}]\n---\nDo it.\n`
}
