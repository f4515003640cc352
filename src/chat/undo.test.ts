import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { testCheckpoints } from '../checkpoints/test-settings.ts'
import { Problem } from '../domain/problem.ts'
import { detectSandbox } from '../sandbox/detect.ts'
import type { Cleanup } from '../sandbox/test-folder.ts'
import { answerInChat } from './continue.ts'
import { beginRepository } from '../worktrees/test-repository.ts'
import { testStage } from './test-chat.ts'
import { restoreChat, showChanges, showCheckpoints, undoChat } from './undo.ts'

const createsOne = [{ calls: [{ tool: 'create_file', input: { path: 'new/one.txt', content: 'one\n' } }] }, { text: 'Created.' }]

const updates = [
  { calls: [{ tool: 'update_file', input: { path: 'kept.txt', old_text: 'first', new_text: 'second' } }] },
  { text: 'Updated.' },
]

async function stageWith(t: Cleanup, replies: Parameters<typeof testStage>[2]) {
  const stage = await testStage(t, 'actor', replies, { checkpoints: await testCheckpoints(t) })
  writeFileSync(join(stage.workspace, 'kept.txt'), 'first\n')
  const chat = stage.chat.id
  return {
    ...stage,
    id: chat,
    at: (path: string) => join(stage.workspace, path),
    undo: (force = false) => undoChat.run(stage.context, { chat, force }),
  }
}

test('[U2] undo takes back the last turn, then the one before, and the chat says so to the next model', async (t) => {
  const stage = await stageWith(t, [...createsOne, ...updates, { text: 'I see.' }])
  chmodSync(stage.at('kept.txt'), 0o640)
  await stage.say('create it')
  await stage.say('update it')

  await stage.undo()
  const once = [readFileSync(stage.at('kept.txt'), 'utf8'), existsSync(stage.at('new/one.txt'))]
  await stage.undo()

  assert.deepEqual(once, ['first\n', true])
  assert.equal(existsSync(stage.at('new')), false, 'the folder that was made for it is gone too')
  assert.equal(statSync(stage.at('kept.txt')).mode & 0o777, 0o640)
  await assert.rejects(stage.undo(), (error) => error instanceof Problem && error.code === 'not_found')
  const { messages } = await stage.say('go on')
  assert.equal(messages.filter(({ type }) => type === 'undo').length, 2)
  const told = JSON.stringify(stage.requests.at(-1)?.entries)
  assert.match(told, /"type":"undo"[^}]*kept\.txt/)
})

test('[U3] an undo is itself a checkpoint: restoring it brings back what was taken away', async (t) => {
  const stage = await stageWith(t, updates)
  await stage.say('update it')
  const { checkpoint } = await stage.undo()

  await restoreChat.run(stage.context, { chat: stage.id, checkpoint: checkpoint ?? 0, force: false })

  assert.equal(readFileSync(stage.at('kept.txt'), 'utf8'), 'second\n')
  const { checkpoints } = await showCheckpoints.run(stage.context, { chat: stage.id })
  assert.deepEqual(checkpoints.map(({ kind, undone }) => [kind, undone]), [['turn', false], ['restore', false], ['restore', false]]) // prettier-ignore
  await stage.undo()
  assert.equal(readFileSync(stage.at('kept.txt'), 'utf8'), 'first\n', 'and it can be undone again')
})

test('[U4] a file that a person changed after the turn is refused by name, and force keeps it before it is put back', async (t) => {
  const stage = await stageWith(t, updates)
  await stage.say('update it')
  writeFileSync(stage.at('kept.txt'), 'mine\n')

  const refused = await stage.undo().catch((error: unknown) => error)
  const stood = readFileSync(stage.at('kept.txt'), 'utf8')
  const { checkpoint } = await stage.undo(true)

  assert.ok(refused instanceof Problem)
  assert.deepEqual([refused.code, refused.details['conflicts']], ['conflict', ['kept.txt']])
  assert.equal(stood, 'mine\n')
  assert.equal(readFileSync(stage.at('kept.txt'), 'utf8'), 'first\n')
  await restoreChat.run(stage.context, { chat: stage.id, checkpoint: checkpoint ?? 0, force: false })
  assert.equal(readFileSync(stage.at('kept.txt'), 'utf8'), 'mine\n')
})

test('[U5] a dry run tells what would happen and touches nothing', async (t) => {
  const stage = await stageWith(t, updates)
  await stage.say('update it')

  const tried = await undoChat.run({ ...stage.context, dry: true }, { chat: stage.id, force: false })

  assert.deepEqual([tried.checkpoint, tried.files], [null, [{ path: 'kept.txt', change: 'changed' }]])
  assert.equal(readFileSync(stage.at('kept.txt'), 'utf8'), 'second\n')
})

test('[U6] what changed is shown as a diff with counts for each file', async (t) => {
  const stage = await stageWith(t, [...updates, ...createsOne])
  await stage.say('update it')
  await stage.say('create it')

  const all = await showChanges.run(stage.context, { chat: stage.id })
  const { checkpoints } = await showCheckpoints.run(stage.context, { chat: stage.id })
  const last = await showChanges.run(stage.context, { chat: stage.id, since: checkpoints[1]?.number })

  const counts = all.files.map(({ path, change, added, removed }) => [path, change, added, removed])
  assert.deepEqual(counts, [['kept.txt', 'changed', 1, 1], ['new', 'created', 0, 0], ['new/one.txt', 'created', 1, 0]]) // prettier-ignore
  assert.match(all.files[0]?.diff ?? '', /^-first$[^]*^\+second$/m)
  assert.deepEqual(last.files.map(({ path }) => path), ['new', 'new/one.txt']) // prettier-ignore
})

test('[U7] what a command deleted, changed or created is undone: untracked, ignored, binary, with modes and links', async (t) => {
  const sandbox = await detectSandbox()
  if (sandbox.kind === 'none') return t.skip(sandbox.reason)
  const command =
    'rm -rf src ignored.log; printf "\\0\\1" > made.bin; ln -s /etc/passwd out; chmod 600 kept.txt; mkdir -p empty/folder; mv kept.txt moved.txt'
  const stage = await stageWith(t, [{ calls: [{ tool: 'execute_command', input: { command } }] }, { text: 'Done.' }])
  stage.context.agent.sandbox = sandbox
  mkdirSync(stage.at('src/deep'), { recursive: true })
  writeFileSync(stage.at('src/deep/a.bin'), Buffer.from([0, 255, 10]))
  writeFileSync(stage.at('ignored.log'), 'log\n')
  writeFileSync(stage.at('.gitignore'), '*.log\n')
  const mode = statSync(stage.at('kept.txt')).mode & 0o777
  await stage.say('tidy up')
  const gone = existsSync(stage.at('src'))

  await stage.undo()

  assert.equal(gone, false)
  assert.deepEqual(readFileSync(stage.at('src/deep/a.bin')), Buffer.from([0, 255, 10]))
  assert.equal(readFileSync(stage.at('ignored.log'), 'utf8'), 'log\n')
  assert.deepEqual(['made.bin', 'out', 'empty', 'moved.txt', 'kept.txt'].map((path) => existsSync(stage.at(path))), [false, false, false, false, true]) // prettier-ignore
  assert.equal(statSync(stage.at('kept.txt')).mode & 0o777, mode)
})

test('[U12] a person is asked once before commands that could take away what no checkpoint can hold', async (t) => {
  const sandbox = await detectSandbox()
  if (sandbox.kind === 'none') return t.skip(sandbox.reason)
  const over = { checkpoints: await testCheckpoints(t, { maxFileBytes: 10 }), sandbox }
  const stage = await testStage(t, 'actor', [commanding('echo one > one.txt'), commanding('echo two > two.txt'), { text: 'Done.' }], over)
  writeFileSync(join(stage.workspace, 'large.bin'), Buffer.alloc(100))

  const asked = await stage.say('go')
  const waited = existsSync(join(stage.workspace, 'one.txt'))
  const [question] = asked.questions
  await answerInChat.run(stage.context, { chat: stage.chat.id, question: question?.id ?? '', value: 'approve' })
  const { questions } = await stage.quiet()

  assert.equal(waited, false)
  assert.match(question?.content.context ?? '', /large\.bin/)
  assert.deepEqual(['one.txt', 'two.txt'].map((path) => existsSync(join(stage.workspace, path))), [true, true]) // prettier-ignore
  assert.equal(questions.length, 1)
})

test('[U8] a turn that changes nothing leaves no checkpoint and opens no file for one', async (t) => {
  const checkpoints = await testCheckpoints(t)
  const stage = await testStage(t, 'actor', [{ calls: [{ tool: 'list_directory', input: { path: '.' } }] }, { text: 'Nothing to do.' }], { checkpoints }) // prettier-ignore

  await stage.say('look')

  assert.equal(existsSync(checkpoints.folder), false)
  assert.deepEqual(await showCheckpoints.run(stage.context, { chat: stage.chat.id }), { checkpoints: [] })
})

function commanding(command: string) {
  return { calls: [{ tool: 'execute_command', input: { command } }] }
}

test('[U20] a command whose words would delete the history, or a folder that no checkpoint holds, is asked about; what vanished all the same is told', async (t) => {
  const over = { checkpoints: await testCheckpoints(t), sandbox: await detectSandbox() }
  const stage = await testStage(t, 'actor', [...['echo fine', 'rm -rf .git', 'sh wipe.sh'].map(commandOf), { text: 'Done.' }], over)
  await beginRepository(stage.workspace, { 'a.txt': 'a' })
  writeFileSync(join(stage.workspace, 'wipe.sh'), 'rm -rf .git')

  const { questions } = await stage.say('tidy up')
  const [asked = assert.fail()] = questions
  assert.match(asked.content.context, /\.git \(the history/)
  assert.ok(existsSync(join(stage.workspace, '.git/refs/heads')))
  await answerInChat.run(stage.context, { chat: stage.chat.id, question: asked.id, value: 'refuse' })
  const { messages } = await stage.quiet()

  const outputs = messages.flatMap((message) => (message.type === 'tool_result' ? [message.output] : []))
  assert.equal(outputs.length, 3)
  assert.match(outputs[2] ?? '', /undo cannot bring back \.git/)
})

function commandOf(command: string) {
  return { calls: [{ tool: 'execute_command', input: { command } }] }
}
