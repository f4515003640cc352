import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Problem } from '../../domain/problem.ts'
import { each } from '../../domain/test-each.ts'
import { runCommand } from '../run-command.ts'
import type { Command } from '../sandbox.ts'
import { actorsHere, kindsHere } from '../test-actor.ts'
import { testWorkspace } from '../test-workspace.ts'

const MIB = 1024 ** 2

for (const kind of await kindsHere()) {
  test(`[S13] a command in ${kind} gets no more memory than it may have`, async (t) => {
    const root = await testWorkspace(t)
    const command = (size: number): Command => ({
      argv: ['perl', '-e', `$x = "a" x ${size * MIB}; print length $x`],
      root,
      access: 'read',
      memoryBytes: 256 * MIB,
    })

    const [modest, greedy] = await Promise.all([runCommand(command(32), { kind }), runCommand(command(1024), { kind })])

    assert.deepEqual([modest?.exit_code, modest?.stdout], [0, String(32 * MIB)])
    assert.notEqual(greedy?.exit_code, 0)
    assert.equal(greedy?.stdout, '')
  })

  test(`[S13] where memory runs out all the same, a command in ${kind} goes before Troupe does`, async (t) => {
    const root = await testWorkspace(t)

    const { stdout } = await runCommand({ argv: ['cat', '/proc/self/oom_score_adj'], root, access: 'read' }, { kind })

    assert.equal(stdout, '1000\n')
  })

  test(`[S13] all a command in ${kind} can write outside the workspace does not fill the machine’s memory`, async (t) => {
    const root = await testWorkspace(t)
    const writable =
      'df -k -t tmpfs -t overlay --output=size,target | while read size at; do touch "$at/x" 2>/dev/null && echo $size; done; :'

    const { stdout } = await runCommand({ argv: ['sh', '-c', writable], root, access: 'throw_away' }, { kind })

    const kibibytes = stdout.trim().split('\n').map(Number)
    assert.ok(kibibytes.length > 3)
    assert.ok(kibibytes.reduce((sum, size) => sum + size, 0) * 1024 < totalmem())
  })

  test(`[S13] a command in ${kind} that uses up its CPU time is killed`, async (t) => {
    const root = await testWorkspace(t)

    const result = await runCommand(
      { argv: ['sh', '-c', 'while :; do :; done'], root, access: 'read', cpuSeconds: 1, timeoutMs: 300_000 },
      { kind },
    )

    assert.equal(result.ended, 'killed')
  })

  for (const actor of actorsHere()) {
    test(`[S13] a fork bomb of ${actor.name} in ${kind} finds an end`, async (t) => {
      const root = await testWorkspace(t)
      const bomb = '$n = 0; while (defined($p = fork)) { if (!$p) { sleep 600; exit } last if ++$n > 3000 } print $n'

      const [result] = await actor.run(kind, [{ argv: ['perl', '-e', bomb], root, access: 'read', timeoutMs: 300_000 }])

      assert.ok(Number(result?.stdout) > 100 && Number(result?.stdout) <= 2048, result?.stdout)
    })
  }

  test(`[S15] what a command in ${kind} prints is streamed as it comes and kept at both ends, and what was cut is counted`, async (t) => {
    const root = await testWorkspace(t)
    const streamed: string[] = []
    const print = 'echo first; i=0; while [ $i -lt 3000 ]; do echo "line ü $i"; i=$((i+1)); done; echo last; echo oops >&2'

    const result = await runCommand(
      { argv: ['sh', '-c', print], root, access: 'read', outputBytes: 2000, onOutput: (chunk) => streamed.push(chunk) },
      { kind },
    )

    assert.match(result.stdout, /^first\n[\s\S]*bytes cut[\s\S]*\nlast\n$/)
    assert.equal(result.stderr, 'oops\n')
    assert.ok(Buffer.byteLength(result.stdout) < 2100)
    assert.ok(result.cut_bytes > 30_000)
    assert.match(streamed.join(''), /^first\nline ü 0\n/)
    assert.ok(Buffer.byteLength(streamed.join('')) <= 2000)
  })

  test(`[S15] a command in ${kind} that prints without end is stopped, and the result says why`, async (t) => {
    const root = await testWorkspace(t)

    const result = await runCommand({ argv: ['yes'], root, access: 'read', timeoutMs: 300_000 }, { kind })

    assert.equal(result.ended, 'flooded')
    assert.ok(result.cut_bytes > 200 * MIB)
  })

  test(`[S16] a command in ${kind} reads what it was given, or nothing, and never our own input`, async (t) => {
    const root = await testWorkspace(t)

    const [given, none] = await Promise.all([
      runCommand({ argv: ['cat'], root, access: 'read', stdin: 'a text' }, { kind }),
      runCommand({ argv: ['cat'], root, access: 'read', timeoutMs: 60_000 }, { kind }),
    ])

    assert.deepEqual([given?.stdout, none?.stdout, none?.ended], ['a text', '', 'exited'])
  })

  test(`[S6] a command in ${kind} has a scratch folder and a home of its own, empty at each start`, async (t) => {
    const root = await testWorkspace(t)
    const script = 'ls /tmp/mine ~/mine; mkdir -p ~/.cache && echo a > /tmp/mine && echo b > ~/mine && cat /tmp/mine ~/mine'

    const results = [
      await runCommand({ argv: ['sh', '-c', script], root, access: 'read' }, { kind }),
      await runCommand({ argv: ['sh', '-c', script], root, access: 'read' }, { kind }),
    ]

    assert.deepEqual(each(results, 'stdout'), ['a\nb\n', 'a\nb\n'])
  })

  test(`[S9] a command in ${kind} reaches its own loopback, and nothing more without leave`, async (t) => {
    const root = await testWorkspace(t)
    const talk = `const s = require('net').createServer((c) => c.end('hello')).listen(0, '127.0.0.1', () => require('net').connect(s.address().port, '127.0.0.1').on('data', (d) => { console.log(String(d)); process.exit() }))`

    const result = await runCommand({ argv: [process.execPath, '-e', talk], root, access: 'read', timeoutMs: 60_000 }, { kind })

    assert.deepEqual([result.stdout, result.stderr], ['hello\n', ''])
  })

  test(`[S23] what cannot be shown to a command in ${kind} is refused before anything starts`, async (t) => {
    const root = await testWorkspace(t)
    const base: Command = { argv: ['true'], root, access: 'read' }
    const cases: [Command, string][] = [
      [{ ...base, root: '/' }, 'bad_input'],
      [{ ...base, root: join(root, 'not-there') }, 'not_found'],
      [{ ...base, cwd: '../..' }, 'denied'],
      [{ ...base, cwd: 'not-there' }, 'not_found'],
      [{ ...base, mounts: [{ path: 'relative', access: 'read' }] }, 'not_found'],
      [{ ...base, env: { A: 'x\0--bind\0/\0/' } }, 'bad_input'],
    ]

    const codes = await Promise.all(
      cases.map(([command]) => runCommand(command, { kind }).catch((error: unknown) => (error instanceof Problem ? error.code : error))),
    )

    assert.deepEqual(
      codes,
      cases.map(([, code]) => code),
    )
  })

  test(`[S23] a command in ${kind} that speaks like the one who builds the sandbox is a command that failed, and runs once`, async (t) => {
    const root = await testWorkspace(t)
    const speak = 'echo x >>ran; echo "bwrap: no" >&2; echo "sandbox: no" >&2; exit "$1"'
    const run = (code: string) => runCommand({ argv: ['sh', '-c', speak, 'sh', code], root, access: 'change' }, { kind })

    const codes = [(await run('1')).exit_code, (await run('125')).exit_code]

    assert.deepEqual(codes, [1, 125])
    assert.equal(await readFile(join(root, 'ran'), 'utf8'), 'x\nx\n')
  })
}
