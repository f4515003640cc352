import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onScreen } from '../../src/cli/test-screen.ts'
import { noTerminal } from '../../src/cli/test-terminal.ts'
import { until } from '../../src/sandbox/test-until.ts'
import { asking } from '../replies.ts'
import { accountWith, leave, opened } from './screen-chat.ts'

const skip = noTerminal
const BREAK = '\u001b\r'
const ESCAPE = '\u001b'
const CTRL_C = '\u0003'
const UP = '\u001b[A'

test(
  '[P90] [P96] what a person types while a command prints stays whole in the box, and Esc stops the turn without taking it',
  { skip },
  async (t) => {
    const command = 'while :; do echo word; sleep 0.01; done'
    const account = await accountWith(t, [{ text: 'I count.', calls: [{ tool: 'execute_command', input: { command } }] }])
    const screen = await opened(t, account)

    screen.type('go\r')
    await screen.shows('│ word')
    for (const letter of 'half written') screen.type(letter)
    await screen.shows(/─\nhalf written\n─+\nactor ›/)
    await screen.shows(/Esc stops/)
    screen.type(ESCAPE)
    await screen.shows('the run was stopped')

    assert.match(screen.screen(), /─\nhalf written\n─+\nactor ›/)
    await leave(screen)
  },
)

test('[P91] lines that are broken or pasted are one message', { skip }, async (t) => {
  const account = await accountWith(t, [
    { text: 'Four.', expect: { user: 'one\ntwo\nthree\nfour' } },
    { text: 'Many.', expect: { user: Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\n') } },
  ])
  const screen = await opened(t, account)

  screen.type(`one${BREAK}two\\\rthree\u001b[13;2uf`)
  screen.type('our\r')
  await screen.shows('Four.')
  screen.type(`\u001b[200~${Array.from({ length: 30 }, (_, at) => `line ${at}`).join('\r')}\u001b[201~`)
  await screen.shows('paste #1')
  screen.type('\r')
  await screen.shows('Many.')

  await leave(screen)
})

test('[P92] the arrow up brings back what an earlier session wrote, without its secrets', { skip }, async (t) => {
  const account = await accountWith(t, [{ text: 'Heard.' }, { text: 'Again.' }])
  const key = `sk-${'a1'.repeat(20)}`
  const first = await opened(t, account)
  first.type(`remember ${key}\r`)
  await first.shows('Heard.')
  await leave(first)
  const folder = join(account.home, '.local/share/troupe/input-history')
  const [name = ''] = readdirSync(folder)
  const kept = readFileSync(join(folder, name), 'utf8')

  const second = await opened(t, account)
  second.type(UP)
  await second.shows(/─\nremember \[masked\]/)
  second.type(CTRL_C)
  await leave(second)

  assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)
  assert.ok(!kept.includes(key))
})

test('[P95] Markdown, edits, the end of long output and cards are drawn, and no JSON', { skip }, async (t) => {
  const plan = {
    goal: 'Greet `all`',
    steps: [{ step_number: 1, action: 'Change **greeting.txt**', reason: 'It is cold' }],
    risks: ['none'],
  }
  const account = await accountWith(t, [
    { text: `# Plan\n\nI *would*:\n\n\`\`\`json\n${JSON.stringify(plan, null, 2)}\n\`\`\`` },
    {
      calls: [
        { tool: 'update_file', input: { path: 'greeting.txt', old_text: 'hello', new_text: 'hello all' } },
        { tool: 'execute_command', input: { command: 'seq 1 40' } },
      ],
    },
    { text: `Then:\n${JSON.stringify(asking('Shout?', { yes: 'Yes', no: 'No' }))}` },
    { text: 'As **you** like.' },
  ])
  await account.write('project/greeting.txt', 'hello\n')
  const screen = await opened(t, account, ['chat'])

  screen.type('greet\r')
  await screen.shows('Run it with /execute')
  screen.type('/execute\r')
  await screen.shows('Answer with a number')
  screen.type('1\r')
  await screen.shows('As you like.')

  const all = screen.all()
  assert.match(all, /┃ Plan 1 \(draft\): Greet `all`[^]*┃ 1\. Change greeting\.txt — It is cold[^]*┃ - risk none/)
  assert.match(all, /✓ update_file greeting\.txt[^]*-hello\n +\+hello all/)
  assert.match(all, /… 28 lines above\n +│ 29\n[^]*│ 40/)
  assert.match(all, /┃ Question: Shout\?[^]*┃ 1\. Yes/)
  assert.ok(!/"goal"|"question"|```json/.test(all), all)
  await leave(screen)
})

test('[P35] [P96] Shift+Tab asks before it gives rights, Ctrl+C clears, stops, and leaves when pressed twice', { skip }, async (t) => {
  const account = await accountWith(t, [{ calls: [{ tool: 'execute_command', input: { command: 'touch begun; sleep 600' } }] }])
  const screen = await opened(t, account, ['chat'])

  screen.type('\u001b[Z')
  await screen.shows(/yes\s+to\s+switch\s+to\s+actor/)
  screen.type('yes\r')
  await screen.shows(/actor ›/)
  screen.type('run it\r')
  await until(() => existsSync(join(account.project, 'begun')))
  screen.type('not this')
  await screen.shows(/\nnot this\n/)
  screen.type(CTRL_C)
  await screen.shows(/execute_command \d+ s[^]*─\n\n─/)
  screen.type(CTRL_C)
  await screen.shows('the run was stopped')
  screen.type(CTRL_C)
  await screen.shows('Ctrl+C again leaves')
  screen.type(CTRL_C)

  assert.equal(await screen.ended, 0)
  assert.match(screen.raw(), /\u001b\[\?2004l[^]*\u001b\[\?25h[^]*$|\u001b\[\?25h[^]*\u001b\[\?2004l[^]*$/) // oxlint-disable-line no-control-regex -- what leaves the terminal as it was
  assert.doesNotMatch(screen.screen(), /Ctrl\+C again leaves/)
})

test('[P97] --continue and /resume show how a chat ended and what waits in it', { skip }, async (t) => {
  const account = await accountWith(t, [{ text: JSON.stringify({ goal: 'Greet', steps: [{ step_number: 1, action: 'Say hello' }] }) }])
  const first = await opened(t, account, ['chat'])
  first.type('greet me\r')
  await first.shows('Run it with /execute')
  await leave(first)
  const { chats } = JSON.parse((await account.troupe('chat', 'list', '--json')).stdout)

  const second = await opened(t, account, ['chat', '--continue'])
  await second.shows('Run it with /execute')
  const continued = second.all()
  await leave(second)
  const third = await opened(t, account, ['chat'])
  third.type('/resume\r')
  await third.shows(chats[0].id)
  third.type(`/resume ${chats[0].id}\r`)
  await third.shows('Run it with /execute')
  const resumed = third.all()
  await leave(third)

  for (const shown of [continued, resumed]) assert.match(shown, /› greet me[^]*┃ Plan 1 \(draft\): Greet[^]*1\. Say hello/)
})

test(
  '[P98] [P27] at 40 columns, resized, with wide characters and codes of a model, every line fits and nothing is obeyed',
  { skip },
  async (t) => {
    const hostile = '\u001b[2J\u001b]0;owned\u0007\u009b31m &#27;[31m'
    const wide = '日本語'.repeat(20)
    const account = await accountWith(t, [{ text: `Begin ${wide} 👩‍👩‍👧 e\u0301 ${hostile} end.\n\n[text](http://x.example/\u001b[31m)` }])
    const screen = onScreen(t, account, ['chat', '--role', 'actor'], { NO_COLOR: '1' }, { cols: 40, rows: 20 })
    await screen.shows('actor ›')

    screen.type('go\r')
    await screen.shows('x.example')
    await screen.resize({ cols: 100, rows: 30 })
    await screen.shows(/─{100}/)
    await screen.shows(/␛\[2J␛\]0;owned␇/)
    await leave(screen)

    const seen = screen.all().replaceAll(/\s/g, '')
    assert.ok(seen.includes(wide), screen.all())
    assert.ok(!screen.raw().includes('\u001b]0;'))
    assert.doesNotMatch(screen.raw(), /\u001b\[3\dm|\u001b\[2J(?!\u001b\[H)/) // oxlint-disable-line no-control-regex -- colours, and a clearing that is not ours
  },
)
