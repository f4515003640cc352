import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { lstat, mkdir, readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { each } from '../../domain/test-each.ts'
import { git } from './git.ts'
import { runCommand } from '../run-command.ts'
import type { Command } from '../sandbox.ts'
import { actorsHere, kindsHere } from '../test-actor.ts'
import { assertNone } from '../test-none.ts'
import { committer } from '../test-surroundings.ts'
import { testWorkspace } from '../test-workspace.ts'

/** Ways to make git run something the next time a person uses it. */
const plants = [
  'echo evil > .git/hooks/pre-commit',
  'rm -rf .git/hooks; mv .git/hooks .git/old; ln -s /tmp .git/hooks',
  'git config alias.status "!evil"; git config core.fsmonitor evil; git config --worktree core.pager evil',
  'echo evil >> .git/config; mv .git/config .git/c; cp .git/config .git/n && mv .git/n .git/config; rm -f .git/config',
  'mv .git gone; cp -r .git copy && rm -rf .git; mv copy .git',
  'mkdir -p evil && cp .git/config evil/ && echo ../evil > .git/commondir',
  'printf "[core]\\n pager = evil\\n" > .git/config.worktree',
  'echo ../evil > .git/commondir; chmod 555 .git',
  'echo ../evil > .git/commondir; chmod 000 .git .',
  'mkdir -p .git/commondir/a && chmod 000 .git/commondir; echo evil > .git/config.worktree',
  'echo evil > .git/modules/sub/config; mv .git/modules .git/m',
  'mkdir -p x/.git && mount --bind x/.git .git; umount .git/hooks .git/config .git',
]

for (const kind of await kindsHere()) {
  for (const actor of actorsHere()) {
    test(`[S8] a command of ${actor.name} in ${kind} plants no hook, no setting and no other git folder`, async (t) => {
      const root = await testWorkspace(t, { kept: 'text', '.git/modules/sub/config': '[core]' })
      await git(root, ['init', '-q'])
      const [config, hooks, folder] = [
        await readFile(join(root, '.git/config'), 'utf8'),
        await readdir(join(root, '.git/hooks')),
        await lstat(join(root, '.git')),
      ]
      actor.own(root)

      await actor.run(
        kind,
        plants.map((script): Command => ({ argv: ['sh', '-c', script], root, access: 'change' })),
      )

      assert.equal(await readFile(join(root, '.git/config'), 'utf8'), config)
      assert.deepEqual(await readdir(join(root, '.git/hooks')), hooks)
      const { ino, mode } = await lstat(join(root, '.git'))
      assert.deepEqual([ino, mode], [folder.ino, folder.mode])
      assert.equal(await readFile(join(root, '.git/modules/sub/config'), 'utf8'), '[core]')
      assertNone(['commondir', 'config.worktree'], (name) => existsSync(join(root, '.git', name)))
    })

    test(`[S8] ${actor.name} commits in a repository in ${kind}`, async (t) => {
      const root = await testWorkspace(t, { kept: 'text' })
      await git(root, ['init', '-q'])
      actor.own(root)

      const [result] = await actor.run(kind, [
        { argv: ['sh', '-c', 'git add . && git commit -qm first && git status --short'], root, access: 'change', env: committer },
      ])

      assert.deepEqual([result?.exit_code, result?.stdout, result?.stderr], [0, '', ''])
      assert.match((await git(root, ['log', '--oneline'])).stdout, /first/)
    })

    test(`[S17] ${actor.name} commits in a worktree in ${kind} through a mount of the git folder, and cannot bend where it points`, async (t) => {
      const folder = await testWorkspace(t, { 'main/kept': 'text' })
      const [main, tree] = [join(folder, 'main'), join(folder, 'tree')]
      await git(main, ['init', '-q'])
      await git(main, ['add', '.'])
      await git(main, ['commit', '-qm', 'first'], { env: committer })
      await git(main, ['worktree', 'add', '-q', tree])
      actor.own(folder)
      const entry = join(main, '.git/worktrees/tree')
      const before = [await readFile(join(entry, 'commondir'), 'utf8'), await readFile(join(tree, '.git'), 'utf8')]
      const bend = `echo ${tree}/evil > ${entry}/commondir; mv ${entry} ${entry}2; mv ${main}/.git/worktrees ${main}/.git/w; echo gitdir: evil > .git; mv .git g; echo evil > ${main}/.git/hooks/post-commit`
      const command = (script: string): Command => ({
        argv: ['sh', '-c', script],
        root: tree,
        access: 'change',
        env: committer,
        mounts: [{ path: join(main, '.git'), access: 'change' }],
      })

      const [bent, committed] = await actor.run(kind, [command(bend), command('echo more > new && git add . && git commit -qm second')])

      assert.notEqual(bent?.exit_code, 0)
      assert.deepEqual([committed?.exit_code, committed?.stderr], [0, ''])
      assert.match((await git(tree, ['log', '--oneline'])).stdout, /second[\s\S]*first/)
      assert.deepEqual([await readFile(join(entry, 'commondir'), 'utf8'), await readFile(join(tree, '.git'), 'utf8')], before)
      assert.equal(existsSync(join(main, '.git/hooks/post-commit')), false)
    })
  }
}

test('[S8] where a git folder leads elsewhere because nobody lived to remove it, nothing runs that could change it', async (t) => {
  const root = await testWorkspace(t)
  await git(root, ['init', '-q'])
  await writeFile(join(root, '.git/commondir'), '../evil\n')
  const [kind] = await kindsHere()

  const command: Command = { argv: ['sh', '-c', 'touch ran'], root, access: 'change' }

  await assert.rejects(runCommand(command, { kind: kind ?? 'bubblewrap' }), { code: 'denied', message: /commondir leads git/ })
  assert.equal(existsSync(join(root, 'ran')), false)
})

test('[S22] git on our own behalf runs no hook, no monitor, no pager and no difference program of the repository', async (t) => {
  const root = await testWorkspace(t, { kept: 'text', '.gitattributes': '* diff=evil' })
  const trap = join(root, '../', `trap-${process.pid}`)
  await git(root, ['init', '-q'])
  for (const [name, value] of Object.entries({
    'core.fsmonitor': `touch ${trap}`,
    'core.pager': `touch ${trap}`,
    'diff.external': `touch ${trap}`,
    'diff.evil.textconv': `touch ${trap}; cat`,
    'core.hooksPath': 'hooks',
  })) {
    await git(root, ['config', name, value])
  }
  await mkdir(join(root, 'hooks'))
  await writeFile(join(root, 'hooks/pre-commit'), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 })

  await git(root, ['add', 'kept'])
  const committed = await git(root, ['commit', '-qm', 'first'], { env: committer })
  await writeFile(join(root, 'kept'), 'changed')
  const shown = [
    await git(root, ['status', '--short']),
    await git(root, ['diff']),
    await git(root, ['log', '-p']),
    await git(root, ['blame', 'kept']),
  ]

  assert.equal(committed.exit_code, 0)
  assert.deepEqual(each(shown, 'exit_code'), [0, 0, 0, 0])
  assert.match(shown[1]?.stdout ?? '', /\+changed/)
  assert.equal(existsSync(trap), false)
})
