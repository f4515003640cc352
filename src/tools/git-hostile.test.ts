import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { each } from '../domain/test-each.ts'
import { git } from '../sandbox/git/git.ts'
import { kindsHere } from '../sandbox/test-actor.ts'
import { committer, setVariables } from '../sandbox/test-surroundings.ts'
import { testWorkspace } from '../sandbox/test-workspace.ts'
import { openTestGate, type TestGate } from './test-gate.ts'

const tools: [string, Record<string, unknown>][] = [
  ['git_status', {}],
  ['git_diff', {}],
  ['git_diff', { from: 'HEAD~1', to: 'HEAD' }],
  ['git_log', {}],
  ['git_blame', { path: 'a.txt' }],
]

/** Each makes a repository that starts the trap as soon as git looks at it without care. */
const traps: Record<string, (root: string, trap: string) => Promise<void>> = {
  'a filter': async (root, trap) => {
    await writeFile(join(root, '.gitattributes'), 'a.txt filter=one=two\n')
    await git(root, ['config', 'filter.one=two.clean', `${trap}; cat`])
  },
  'a long-running filter': async (root, trap) => {
    await writeFile(join(root, '.gitattributes'), 'a.txt filter=x\n')
    await git(root, ['config', 'filter.x.process', trap])
    await git(root, ['config', 'filter.x.required', 'true'])
  },
  'a signature checker': async (root, trap) => {
    const { stdout } = await git(root, ['cat-file', 'commit', 'HEAD'])
    const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n'
    const signed = await git(root, ['hash-object', '-t', 'commit', '-w', '--stdin'], { stdin: stdout.replace('\n\n', `\n${signature}\n`) })
    await git(root, ['update-ref', 'HEAD', signed.stdout.trim()])
    await git(root, ['config', 'log.showSignature', 'true'])
    await git(root, ['config', 'gpg.program', trap])
  },
  'a difference program of a submodule': async (root, trap) => {
    const sub = join(root, 'sub')
    await mkdir(sub)
    await commitIn(sub, 'one')
    await commitIn(root, 'one', ['sub'])
    await commitIn(sub, 'two')
    await git(sub, ['config', 'diff.external', trap])
    await git(root, ['config', 'diff.submodule', 'diff'])
  },
  'a partial clone that lacks something': async (root, trap) => {
    const settings = { 'core.repositoryformatversion': '1', 'extensions.partialClone': 'origin', 'remote.origin.promisor': 'true' }
    for (const [name, value] of Object.entries(settings)) await git(root, ['config', name, value])
    await git(root, ['config', 'remote.origin.url', root])
    await git(root, ['config', 'remote.origin.uploadpack', trap])
    const { stdout } = await git(root, ['rev-parse', 'HEAD~1:a.txt'])
    await rm(join(root, '.git/objects', stdout.slice(0, 2), stdout.slice(2).trim()))
  },
}

for (const [name, lay] of Object.entries(traps)) {
  test(`[G36] a git tool does not start ${name} of the repository`, async (t) => {
    const gate = await openRepository(t)
    const ran = join(await testWorkspace(t), 'ran')
    const trap = join(gate.root, '.git/trap.sh')
    await writeFile(trap, `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 })
    await lay(gate.root, trap)
    await writeFile(join(gate.root, 'a.txt'), 'c\n')

    for (const [tool, input] of tools) await gate.call(tool, input)

    assert.equal(existsSync(ran), false)
  })
}

test('[G36] git is never a program that lies in the workspace or among a project’s packages', async (t) => {
  const gate = await openRepository(t)
  const ran = join(await testWorkspace(t), 'ran')
  const bin = join(gate.root, 'node_modules/.bin')
  await mkdir(bin, { recursive: true })
  await writeFile(join(bin, 'git'), `#!/bin/sh\ntouch ${ran}\n`, { mode: 0o755 })
  setVariables(t, { PATH: `${bin}:${process.env.PATH}` })

  const status = await gate.call('git_status', {})

  assert.equal(status.outcome, 'ok')
  assert.equal(existsSync(ran), false)
})

test('[G45] a git tool reads no repository elsewhere, whether a file, a link or a setting points there', async (t) => {
  const other = await openRepository(t)
  const asked = { from: 'HEAD~1', to: 'HEAD' }
  const byFile = await openTestGate(t, { '.git': `gitdir: ${other.root}/.git\n` })
  const byLink = await openTestGate(t)
  await symlink(join(other.root, '.git'), join(byLink.root, '.git'))
  const byCommonFolder = await openRepository(t, 'mine')
  await writeFile(join(byCommonFolder.root, '.git/commondir'), `${other.root}/.git\n`)
  await git(byCommonFolder.root, ['config', '--file', '.git/config', 'core.worktree', byCommonFolder.root])
  const byCheckout = await openRepository(t, 'mine')
  await writeFile(join(other.root, 'a.txt'), 'other again\n')
  await git(byCheckout.root, ['config', 'core.worktree', other.root])

  const answers = [
    await byFile.call('git_diff', asked),
    await byLink.call('git_diff', asked),
    await byCommonFolder.call('git_diff', asked),
    await byCheckout.call('git_diff', {}),
  ]

  assert.deepEqual(each(answers, 'outcome'), ['error', 'error', 'error', 'ok'])
  for (const { output } of answers.slice(0, 3)) assert.match(output, /names a repository elsewhere that does not know this checkout/)
  for (const { output } of answers) assert.doesNotMatch(output, /other/)
})

for (const kind of await kindsHere()) {
  test(`[G45] in ${kind} the git tools read a repository from its top, from a folder in it and from a worktree, and hidden ones not at all`, async (t) => {
    const gate = await openRepository(t)
    const tree = join(await testWorkspace(t), 'tree')
    await mkdir(join(gate.root, 'deep'))
    await git(gate.root, ['worktree', 'add', '-q', tree])
    const hidden = await openRepository(t, 'hidden')
    const borrowing = await openRepository(t)
    await writeFile(join(borrowing.root, '.git/objects/info/alternates'), `${hidden.root}/.git/objects\n`)
    await writeFile(join(borrowing.root, '.git/refs/heads/h'), await readFile(join(hidden.root, '.git/refs/heads/main')))
    const sandbox = { kind }

    const read = await Promise.all(
      [gate.root, join(gate.root, 'deep'), tree].map((root) => gate.as({ root, sandbox }).call('git_log', { path: '.' })),
    )
    const borrowed = await borrowing.as({ sandbox }).call('git_log', { revision: 'h' })

    assert.deepEqual(
      read.map(({ output }) => output.split('\n').length),
      [2, 1, 2],
    )
    assert.equal(borrowed.outcome, 'error')
  })
}

async function openRepository(t: TestContext, text = 'other'): Promise<TestGate> {
  const gate = await openTestGate(t)
  await commitIn(gate.root, `${text} one`)
  await commitIn(gate.root, `${text} two`)
  return gate
}

async function commitIn(root: string, text: string, files = ['a.txt']): Promise<void> {
  if (files.includes('a.txt')) await writeFile(join(root, 'a.txt'), `${text}\n`)
  await git(root, ['init', '-q', '--initial-branch=main'])
  await git(root, ['add', ...files])
  await git(root, ['commit', '-qm', text], { env: committer })
}
