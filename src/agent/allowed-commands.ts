import * as z from 'zod'
import { AllowedCommand, AllowedScope } from '../domain/command/allowed.ts'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import { projectFolder } from '../sandbox/git/project-folder.ts'
import type { Driver } from '../store/driver.ts'
import { allowedCommands } from '../store/run-tables.ts'
import { allowCommand } from './person/allowed-commands.ts'

/** Where commands are allowed: the store, and the folder that is meant where nothing else is said. */
export interface CommandsContext {
  driver: Driver
  root: string
  now: () => Date
}

const listAllowed = defineOperation({
  name: 'command.list',
  summary: 'List the commands that are not asked about: in which chat or project, and since when',
  by: ['person'],
  effect: 'read',
  command: 'commands list',
  input: z.strictObject({}),
  output: z.object({ commands: z.array(AllowedCommand) }),
  example: {},
  tell: ({ commands }) => (commands.length === 0 ? 'No command is allowed from now on.' : commands.map(lineOf).join('\n')),
  run: async ({ driver }: CommandsContext) => {
    const commands = await allowedCommands.items(driver)
    return { commands: commands.toSorted((a, b) => a.at.localeCompare(b.at)) }
  },
})

const allow = defineOperation({
  name: 'command.allow',
  summary: 'Let a command run from now on where settings say to ask; it gives no role more rights',
  by: ['person'],
  effect: 'change',
  command: 'commands allow <pattern>',
  input: z.strictObject({
    pattern: z.string().min(1).max(2_000).describe('the words of a program; a star at the end stands for whatever follows them'),
    scope: AllowedScope.default('project').describe('where it holds'),
    chat: z.string().min(1).optional().describe('the id of the chat it holds in'),
  }),
  output: AllowedCommand,
  example: { pattern: 'npm test *', scope: 'project' },
  tell: lineOf,
  run: async ({ driver, root, now }: CommandsContext, { pattern, scope, chat }) => {
    if ((scope === 'chat') !== (chat !== undefined)) throw new Problem('bad_input', 'a chat is named for the scope chat, and for no other')
    const place = { chat: chat ?? '', project: projectFolder(root), always: '' }[scope]
    return allowCommand(driver, { scope, place, pattern, by: 'user', at: now().toISOString() })
  },
})

const revoke = defineOperation({
  name: 'command.revoke',
  summary: 'Have a command asked about again, from its next call on',
  by: ['person'],
  effect: 'change',
  command: 'commands revoke <id>',
  input: z.strictObject({ id: z.string().min(1).describe('the id of an allowed command') }),
  output: AllowedCommand,
  example: { id: 'allowed_0mb2k7q1' },
  tell: ({ pattern }) => `${pattern} is asked about again`,
  run: async ({ driver }: CommandsContext, { id }) => {
    const was = await allowedCommands.get(driver, id)
    await allowedCommands.remove(driver, was)
    return was.item
  },
})

/** What can be done about commands that a person allowed from now on. */
export const commandOperations = [listAllowed, allow, revoke] as const

function lineOf({ id, scope, place, pattern }: AllowedCommand): string {
  const where = { chat: `in ${place}`, project: `in ${place}`, always: 'everywhere' }[scope]
  return `${id}  ${pattern}  ${where}`
}
