import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Command } from 'commander'
import { beginRepository } from '../worktrees/test-repository.ts'
import { wholeProgram } from './program.ts'
import { anAccount, runProgram } from './test-account.ts'

/** What runs until it is stopped, plays everything, or prints something that is no result of ours. */
const apart = ['serve', 'team', 'agent', 'mcp', 'acp', 'demo', 'completion']

test('[C12] every command with --json prints JSON on stdout, whether it does its work or refuses to', async (t) => {
  const account = await anAccount(t)
  await beginRepository(account.project, { 'a.txt': 'a\n' })
  const found = leaves(await wholeProgram()).filter(([noun]) => !apart.includes(noun ?? ''))

  const args = [join(import.meta.dirname, 'test-every-command.ts'), JSON.stringify(found.map((words) => [...words, '--json']))]
  const { stdout, stderr } = await runProgram(process.execPath, args, { cwd: account.project, env: account.env }, '')
  const printed = JSON.parse(stdout || `"${stderr}"`) as string[] // what test-every-command.ts prints
  const wrong = found.flatMap((words, at) => (isJson(printed[at] ?? '') ? [] : [`troupe ${words.join(' ')}: ${printed[at]}`]))

  assert.ok(found.length > 80, `${found.length}`)
  assert.deepEqual(wrong, [])
})

/** Each verb with a word for every argument it needs. */
function leaves(command: Command, path: readonly string[] = []): string[][] {
  const verbs = command.commands.filter((each) => each.name() !== 'help')
  if (verbs.length > 0) return verbs.flatMap((each) => leaves(each, [...path, each.name()]))
  return [[...path, ...command.registeredArguments.filter(({ required }) => required).map(() => 'nothing')]]
}

/** One value, or one on each line. */
function isJson(text: string): boolean {
  const whole = [text, ...text.trim().split('\n')]
  const parses = whole.map((part) => {
    try {
      JSON.parse(part)
      return true
    } catch {
      return false
    }
  })
  return parses[0] === true || (text.trim() !== '' && parses.slice(1).every(Boolean))
}
