import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import * as z from 'zod'
import { defineOperation } from '../domain/operation.ts'
import { addCommands, type CommandArea, type CommandExtra } from './operation-commands.ts'

const input = z.strictObject({
  note: z.string(),
  text: z.string(),
  loud: z.boolean().optional(),
  always: z.boolean().default(false),
  most: z.number().nullable().optional(),
})

const say = defineOperation({
  name: 'room.say',
  summary: 'Say something',
  by: ['person'],
  effect: 'change',
  command: 'room say <note> <text...>',
  input,
  output: z.object({ said: z.string() }),
  example: { note: 'n', text: 'hello' },
  tell: ({ said }) => said,
  run: async (heard: { all: z.output<typeof input>[] }, said) => {
    heard.all.push(said)
    return { said: said.text }
  },
})

/** Types a line at a command that does no more than remember what it was given. */
async function typeLine(line: readonly string[], extra: CommandExtra<{ said: string }> = {}) {
  const heard: { all: z.output<typeof input>[] } = { all: [] }
  const area: CommandArea<typeof heard> = { addOptions: () => undefined, within: (_options, _operation, work) => work(heard) }
  const room = new Command('room').exitOverride()
  addCommands(room, [say], area, { 'room.say': { ...extra, print: () => '' } })
  await room.parseAsync(['say', ...line], { from: 'user' })
  return heard.all
}

test('[C97] words in a row are one text, a flag can be taken back, and none is null', async () => {
  const given = [
    await typeLine(['n', 'one', 'two']),
    await typeLine(['n', 'one', '--loud', '--most', '3']),
    await typeLine(['n', 'one', '--no-loud', '--always', '--most', 'none']),
  ]

  assert.deepEqual(given.flat(), [
    { note: 'n', text: 'one two', always: false },
    { note: 'n', text: 'one', loud: true, always: false, most: 3 },
    { note: 'n', text: 'one', loud: false, always: true, most: null },
  ])
})

test('[C97] options of the terminal alone give fields, which what is typed goes before and the schema judges', async () => {
  const extra = {
    options: [['--from <file>', 'a file']],
    fields: async ({ from }) => ({ most: from, loud: true }),
  } satisfies CommandExtra<{
    said: string
  }>
  const finished: string[] = []

  const given = await typeLine(['n', 'one', '--from', 'x', '--most', '4'], { ...extra, finish: ({ said }) => finished.push(said) })
  const refused = typeLine(['n', 'one', '--from', 'x'], extra)

  await assert.rejects(refused, { code: 'bad_input' })
  assert.deepEqual([given[0]?.loud, given[0]?.most, finished], [true, 4, ['one']])
})
