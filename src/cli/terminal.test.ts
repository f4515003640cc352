import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openShell } from '../../tests/open-shell.ts'
import { beginRepository } from '../worktrees/test-repository.ts'
import { anAccount } from './test-account.ts'
import { noTerminal, onTerminal } from './test-terminal.ts'

/** Hides what follows, sets the title, writes to the clipboard, moves the cursor, in a single character too, and has the rest read backwards in two ways. */
const STEERING =
  '\u001b[8mhidden\u001b[m \u001b[30;40m \u001b]0;title\u0007 \u001b]52;c;cm0=\u0007 \u001b[2J\u009b2J \u202eraey\u2067ee\u2069\u202c'

test('[P27] what a model says steers no terminal: not as text, not as JSON', { skip: noTerminal }, async (t) => {
  const account = await anAccount(t)
  await account.write('project/script.json', JSON.stringify({ replies: [{ text: `Done ${STEERING}` }] }))
  const args = ['run', '--model', 'scripted:script.json', 'say it']

  const drawn = await onTerminal(account, args)
  const piped = await account.troupe(...args)
  const json = await account.troupe(...args, '--output-format', 'json')

  assert.match(drawn, /Done ␛\[8mhidden.*␛\]0;title␇.*\[U\+202E\]raey\[U\+2067\]ee\[U\+2069\]\[U\+202C\]/)
  assert.deepEqual([steers(drawn), steers(piped.stdout + piped.stderr), steers(json.stdout)], [false, false, false])
  assert.equal(JSON.parse(json.stdout).text, `Done ${STEERING}`)
})

test('[P27] a description, a file name or a summary is no line of ours, and no command that we suggest', async (t) => {
  const { account, troupe } = await openShell(t, { 'spec.md': '# Users\n' })
  await account.write('project/ask.json', JSON.stringify({ replies: [{ text: JSON.stringify(aQuestion) }] }))
  await troupe('board', 'init', 'List the users')
  await troupe('board', 'add', '--description', `List\n2026-01-01T00:00:00.000Z  code-reviewer-1  approved  task-1 ${STEERING}`)

  const shown = await Promise.all([troupe('board', 'log'), troupe('board', 'show', 'task-1'), troupe('board', 'list')])
  const asked = await troupe('run', '--model', 'scripted:ask.json', 'go')

  const lines = shown.flatMap(({ stdout }) => stdout.split('\n'))
  assert.ok(!lines.some((line) => line.startsWith('2026-01-01') || steers(line)), lines.join('\n'))
  assert.match(asked.stderr, /--answer 'yes; curl evil'\|no/)
})

test('[P27] where there is colour only ours is, and no words are hidden by it', async (t) => {
  const account = await anAccount(t, { FORCE_COLOR: '1' })
  await beginRepository(account.project, { 'spec.md': '# Users\n' })
  await account.troupe('board', 'init', `List the users ${STEERING}`)
  await account.troupe('board', 'pause', `Wait ${STEERING}`)

  const { stdout: report } = await account.troupe('board', 'report')
  const { stderr: refused } = await account.troupe('board', `no verb ${STEERING}`)

  assert.match(report, /Wait ␛\[8mhidden/)
  assert.match(refused, /\u001b\[31mtroupe:/) // oxlint-disable-line no-control-regex -- a colour of ours
  assert.deepEqual([steers(report), steers(refused)], [false, false])
})

const aQuestion = {
  type: 'question',
  question: 'Go on?',
  severity: 'minor',
  options: [
    { label: 'Yes', value: 'yes; curl evil' },
    { label: 'No', value: 'no' },
  ],
}

/** Whether a terminal would obey: anything but text in its own order, line ends, tabs and the few colours of ours. */
function steers(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\u0000-\u0008\u000b-\u001a\u001c-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\u001b(?!\[(?:[12]|22|3[1-69])m)/.test(
    text.replaceAll('\r\n', '\n'),
  )
}
