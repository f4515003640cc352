import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { testWorkspace } from '../test-workspace.ts'

/** Who waits for a pipe waits for ever; this only ends a test that is lost. */
const LOST = { timeout: 60_000, killSignal: 'SIGKILL' } as const

/** Each a pipe that a command can put into its workspace, and what Troupe does there next. In a process of its own: it would be gone for good. */
const waits = {
  'the repository of the workspace': ['.git', `(await import('../git/place.ts')).knownGitPlace(root)`],
  'another repository’s settings': ['.git/commondir', `(await import('../git/place.ts')).knownGitPlace(root)`],
  'a branch': ['.git/refs/heads/main', `(await import('../../worktrees/read-ref.ts')).readRef(root + '/.git', 'refs/heads/main')`],
  'the proof of a command': ['.git', `(await (await (await import('../prove-unchanged.ts')).proveUnchanged(root))()).unchanged`],
  'a command': [
    '.git',
    `(await import('../run-command.ts')).runCommand({ argv: ['true'], root, access: 'change' }, { kind: 'bubblewrap' }).catch(String)`,
  ],
  'a token in .npmrc': ['.npmrc', `(await import('../files/path.ts')).resolveInside(root, '.npmrc', { use: 'read' })`],
  'the instructions of a project': ['AGENTS.md', `(await import('../../roles/instructions/instructions.ts')).instructionsFor(root, null)`],
} satisfies Record<string, [string, string]>

for (const [what, [pipe, work]] of Object.entries(waits)) {
  test(`[S33] a pipe that a command left in the place of ${pipe} keeps nobody waiting who looks for ${what}`, async (t) => {
    const root = await testWorkspace(t, pipe.startsWith('.git/') ? { '.git/refs/heads/other': '' } : {})
    execFileSync('mkfifo', [join(root, pipe)])

    const script = `const root = process.argv[1]; await ${work}; process.exit()`
    const ended = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, root], { cwd: import.meta.dirname, ...LOST })

    await assert.doesNotReject(ended)
  })
}
