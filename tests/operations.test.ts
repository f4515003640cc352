import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as z from 'zod'
import { operations } from '../src/api/operations.ts'
import { sourcesIn, stringsOf, type Source } from './sources.ts'
import { defineOperation, doors, doorsOf, type Door, type Operation } from '../src/domain/operation.ts'

const all: readonly Operation[] = operations

test('[C89] every operation is offered at each door its users have, or says why not', () => {
  assert.deepEqual(all.flatMap(gapsOf), [])
})

test('[C89] a missing command, a reason for an open door and an example that does not fit are each caught', () => {
  const sound = {
    name: 'board.rest',
    summary: 'Rest a while',
    by: ['person'],
    effect: 'change',
    input: z.strictObject({ minutes: z.int() }),
    output: z.object({}),
    example: { minutes: 5 },
    command: 'board rest <minutes>',
    tell: () => 'rested',
    run: async () => ({}),
  } as const
  const { command: _, ...silent } = sound
  const planted = [
    defineOperation(sound),
    defineOperation(silent),
    defineOperation({ ...sound, absent: { cli: 'nobody types it' } }),
    defineOperation({ ...sound, by: ['client'], absent: { cli: 'nobody types it' } }),
    { ...defineOperation(sound), example: { minutes: 'five' } },
    defineOperation({ ...sound, command: 'board rest <hours>' }),
    defineOperation({ ...sound, summary: 'Rest a while.' }),
  ]

  const caught = planted.map((operation) => gapsOf(operation).length > 0)

  assert.deepEqual(caught, [false, true, false, true, true, true, true])
})

test('[C89] no two operations have one name or one command', () => {
  const names = all.map(({ name }) => name)
  const commands = all.flatMap(({ command }) => command?.split(' ').slice(0, 2).join(' ') ?? [])

  assert.deepEqual([names.length, commands.length], [new Set(names).size, new Set(commands).size])
})

test('[C96] every step that a problem suggests is an operation that exists', () => {
  const names = new Set<string>(all.map(({ name }) => name))
  const suggested = sourcesIn('src').flatMap(({ file, text }) =>
    [...text.matchAll(/\boperation: '([\w.]+)'/g)].map(([, name = '']) => ({ file, name })),
  )

  assert.deepEqual(
    suggested.filter(({ name }) => !names.has(name)),
    [],
  )
})

test('[C96] no message below the command line names a command or an option', () => {
  const below = sourcesIn('src').filter(({ file }) => !/^src\/(cli|mcp|main)\b|\.test\.ts$|\/test-/.test(file))

  assert.deepEqual(below.flatMap(commandsNamed), [])
  assert.equal(commandsNamed({ file: 'a.ts', text: "throw new Error('stopped; type: troupe board resume')" }).length, 1)
  assert.equal(commandsNamed({ file: 'a.ts', text: 'const say = `${task} waits; give --answer`' }).length, 1)
  assert.deepEqual(commandsNamed({ file: 'a.ts', text: '/** What `troupe board` prints. */' }), [])
})

/** Strings that tell a person what to type. */
function commandsNamed(source: Source): string[] {
  return stringsOf(source)
    .filter((text) => /(^|[^\w./-])troupe [a-z]/.test(text) || /\b(with|give|use|leave|or) --[a-z]/.test(text))
    .map((text) => `${source.file}: ${text}`)
}

function gapsOf(operation: Operation): string[] {
  const { name, summary, absent = {} } = operation
  const open = doorsOf(operation)
  const reachable = open.includes('http') || open.includes('cli') // a dry run is asked for at one of these
  const expected = doorsOf({ ...operation, command: operation.command ?? 'typed', absent: {} }).filter(
    (door) => door !== 'dry_run' || reachable,
  )
  const silent = expected
    .filter((door) => !open.includes(door) && absent[door] === undefined)
    .map((door) => `is not offered at ${door}, without a reason`)
  const idle = (Object.keys(absent) as Door[])
    .filter((door) => doors.includes(door) && !expected.includes(door))
    .map((door) => `has a reason against ${door}, where it would not be offered anyway`) // keys of a record of doors
  const fields = [...(operation.command ?? '').matchAll(/[<[](\w+)/g)].flatMap(([, field = '']) =>
    field in operation.input.shape ? [] : [`names <${field}> in its command, which is no field`],
  )
  const fits = operation.input.safeParse(operation.example).success ? [] : ['has an example that does not fit its input']
  const words = /^[A-Z][^.]*$/.test(summary) ? [] : ['has a summary that is not one sentence without a full stop']
  return [...silent, ...idle, ...fields, ...fits, ...words].map((gap) => `${name} ${gap}`)
}
