import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import * as z from 'zod'
import { detectSandbox } from '../../src/sandbox/detect.ts'
import { git } from '../../src/sandbox/git/git.ts'
import { openTestGate, type TestGate } from '../../src/tools/test-gate.ts'
import { beginRepository } from '../../src/worktrees/test-repository.ts'
import { treeOf } from '../tree.ts'

const Proven = z.object({ unchanged: z.boolean(), complete: z.boolean(), files: z.int() })

const suite = `
  import { mkdirSync, readFileSync, writeFileSync, rmSync } from 'node:fs'
  import { test } from 'node:test'
  mkdirSync('dist'); writeFileSync('dist/app.js', readFileSync('src/app.js'))
  writeFileSync('snapshot.txt', 'new snapshot'); rmSync('old.txt')
  const { sum } = await import(process.cwd() + '/dist/app.js')
  test('adds', (t) => t.assert.strictEqual(sum(1, 2), 3))
`

test('[G41] a Tester runs a suite that writes build output, and the workspace stays as it was', async (t) => {
  const gate = await openTester(t)
  const before = await treeOf(gate.root)

  const result = await gate.call('execute_command', { command: `'${process.execPath}' --test suite.mjs && cat snapshot.txt && ls` })

  assert.equal(result.outcome, 'ok', result.output)
  assert.match(result.output, /pass 1/)
  assert.match(result.output, /new snapshot\s*dist\n/)
  assert.deepEqual(await treeOf(gate.root), before)
  const { unchanged, complete, files } = Proven.parse(result.details.proof)
  assert.deepEqual([unchanged, complete, files > 5], [true, true, true])
})

test('[G41] whatever a command of a Tester tries, nothing of it reaches the workspace or the refs', async (t) => {
  const gate = await openTester(t)
  const before = { tree: await treeOf(gate.root), refs: (await git(gate.root, ['for-each-ref'])).stdout }
  const file = join(gate.root, 'src/app.js')
  const tricks = [
    `nohup sh -c "sleep 1; echo evil > '${file}'" >/dev/null 2>&1 & disown; true`,
    `echo evil > '${file}'`,
    `cat > src/app.js <<EOF\nevil\nEOF`,
    `ln -s '${gate.root}' /tmp/back; echo evil > /tmp/back/src/app.js`,
    `echo evil > /proc/self/root'${file}'; echo evil > /proc/1/root'${file}'`,
    `mount -o remount,rw / ; mount --bind /tmp '${gate.root}'; umount '${gate.root}'; echo evil > '${file}'`,
    `git config core.hooksPath evil; git branch evil; git commit --allow-empty -m evil; rm -rf .git`,
    `chmod -R 777 . ; rm -rf -- * ; mkfifo pipe`,
  ]

  for (const command of tricks) {
    const { details } = await gate.call('execute_command', { command, timeout_seconds: 60 })

    assert.deepEqual([details.access, Proven.parse(details.proof).unchanged], ['throw_away', true], command)
  }
  assert.deepEqual({ tree: await treeOf(gate.root), refs: (await git(gate.root, ['for-each-ref'])).stdout }, before)
})

async function openTester(t: TestContext): Promise<TestGate> {
  const files = {
    'src/app.js': 'export const sum = (a, b) => a + b\n',
    'suite.mjs': suite,
    'snapshot.txt': 'old',
    'old.txt': 'old',
    '.gitignore': 'dist/\n',
  }
  const gate = await openTestGate(t, { ...files, 'package.json': '{"type":"module"}' })
  await beginRepository(gate.root, {})
  return gate.as({ role: 'tester', permissions: ['read_files', 'execute_commands'], sandbox: await detectSandbox() })
}
