import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noTerminal } from '../../src/cli/test-terminal.ts'
import { accountWith, leave, opened } from './screen-chat.ts'

const skip = noTerminal
const CTRL_C = '\u0003'

test('[P93] commands, roles and the files a role may read are completed', { skip }, async (t) => {
  const account = await accountWith(t, [])
  await account.write('project/src/Parser.ts', '')
  await account.write('project/build/parser.js', '')
  await account.write('project/.gitignore', 'build\n')
  await account.write('project/.env', 'KEY=1\n')
  const screen = await opened(t, account)

  screen.type('/comp')
  await screen.shows(/→ compact/)
  screen.type(CTRL_C)
  screen.type('/role plan')
  await screen.shows(/→ planner/)
  screen.type(CTRL_C)
  screen.type('read @pars')
  await screen.shows(/→ src\/Parser\.ts/)
  const offered = screen.screen()
  screen.type('\t')
  await screen.shows(/read @src\/Parser\.ts/)

  assert.ok(!offered.includes('parser.js'))
  screen.type(CTRL_C)
  await leave(screen)
})

test('[P94] a file named with @ goes with the message, and a secret is refused before anything is sent', { skip }, async (t) => {
  const account = await accountWith(t, [{ text: 'Read.', expect: { user: 'the answer is 42' } }])
  await account.write('project/notes.md', 'the answer is 42\n')
  await account.write('project/.env', 'KEY=1\n')
  const screen = await opened(t, account)

  screen.type('see @.env please\r')
  await screen.shows('@.env cannot be attached')
  screen.type('ask ann@example.org and @ann about @notes.md.\r')
  await screen.shows('attached: notes.md')
  await screen.shows('Read.')

  await leave(screen)
  const { chats } = JSON.parse((await account.troupe('chat', 'list', '--json')).stdout)
  const { messages } = JSON.parse((await account.troupe('chat', 'show', chats[0].id, '--json')).stdout)
  assert.equal(messages.length, 2)
})

test('[A133] /attach shows the model a file with the next message, and after a refusal it is attached still', { skip }, async (t) => {
  const account = await accountWith(t, [{ text: 'A page.' }])
  await account.write('project/page.pdf', '%PDF-1.4\ntrailer<</Root 1 0 R>>\n%%EOF\n')
  await account.write('project/.env', 'KEY=1\n')
  const screen = await opened(t, account)

  screen.type('/attach .env\r')
  await screen.shows('.env is not a PNG')
  screen.type('/attach page.pdf\r')
  await screen.shows('Attached to your next message: page.pdf')
  screen.type('see @.env too\r')
  await screen.shows('@.env cannot be attached')
  screen.type('what is it\r')
  await screen.shows('attached: page.pdf')
  await screen.shows('A page.')
  screen.type('/attach\r')
  await screen.shows('Nothing is attached')

  await leave(screen)
  const { chats } = JSON.parse((await account.troupe('chat', 'list', '--json')).stdout)
  const { messages } = JSON.parse((await account.troupe('chat', 'show', chats[0].id, '--json')).stdout)
  assert.equal(messages[0].attachments[0].media_type, 'application/pdf')
})
