import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import type { Command, CommandResult, SandboxKind } from '../sandbox.ts'
import { actorFile, kindsHere } from '../test-actor.ts'
import { testWorkspace } from '../test-workspace.ts'

/** Node itself marks the first few, and only as long as there is no gap between them. */
const [FILE, FOLDER] = [40, 200]

for (const kind of await kindsHere()) {
  test(`[S32] in ${kind} a file or a folder that Troupe was started with, as a lock is held by a shell, is not open to a command`, async (t) => {
    const [root, outside] = [await testWorkspace(t), await testWorkspace(t, { lock: 'text', key: 'secret' })]
    const script = `echo bad >&${FILE}; echo bad > /proc/self/fd/${FILE}; cat /proc/self/fd/${FOLDER}/key; echo bad > /proc/self/fd/${FOLDER}/new; echo ran`

    const result = await startedWith({ [FILE]: join(outside, 'lock'), [FOLDER]: outside }, kind, {
      argv: ['bash', '-c', script],
      root,
      access: 'read',
    })

    assert.equal(result?.stdout, 'ran\n')
    assert.deepEqual([readdirSync(outside).toSorted(), readFileSync(join(outside, 'lock'), 'utf8')], [['key', 'lock'], 'text'])
  })
}

/** Runs a command in a process that has these paths open under these numbers. */
async function startedWith(
  paths: Readonly<Record<number, string>>,
  kind: SandboxKind,
  command: Command,
): Promise<CommandResult | undefined> {
  const open = new Map(Object.entries(paths).map(([number, path]) => [Number(number), openSync(path, path.endsWith('lock') ? 'a' : 'r')]))
  const stdio = Array.from({ length: Math.max(...open.keys()) + 1 }, (_, number) => open.get(number) ?? 'ignore')
  const troupe = spawn(process.execPath, [actorFile], { stdio: ['pipe', 'pipe', 'inherit', ...stdio.slice(3)] })
  for (const descriptor of open.values()) closeSync(descriptor)
  troupe.stdin?.end(JSON.stringify({ kind, commands: [command] }))
  const answer = troupe.stdout === null ? '[]' : await text(troupe.stdout)
  return (JSON.parse(answer) as CommandResult[])[0] // written by the last lines of the actor's file
}
