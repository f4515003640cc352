import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { git } from './git/git.ts'
import { runCommand } from './run-command.ts'
import type { Command } from './sandbox.ts'
import { actorsHere, kindsHere } from './test-actor.ts'
import { assertNone } from './test-none.ts'
import { committer } from './test-surroundings.ts'
import { until } from './test-until.ts'
import { testWorkspace } from './test-workspace.ts'

/** Makes a repository of the folder it is in, whose settings start a program. */
const evil = `printf '[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = "touch %s; false"\\n' "$MARK" > config; mkdir -p objects refs; echo ref: refs/heads/main > HEAD`
const nested = `git init -q x && cd x && git commit -q --allow-empty -m x && git config core.fsmonitor "touch $MARK; false"`

/** Ways to have the git of a person start a program, by the folder where the person uses it. */
const plants: Readonly<Record<string, readonly [where: string, script: string]>> = {
  'HEAD removed': ['.', `${evil}; cp -r .git/refs/* refs/; rm -f .git/HEAD`],
  'junk in HEAD': ['.', `${evil}; echo junk > .git/HEAD`],
  'HEAD made a folder': ['.', `${evil}; rm -f .git/HEAD; mkdir .git/HEAD`],
  'refs moved away': ['.', `${evil}; mv .git/refs .git/elsewhere; rm -rf .git/refs`],
  'objects moved away': ['.', `${evil}; mv .git/objects .git/elsewhere`],
  'folders closed': ['.', `${evil}; chmod 000 .git/refs .git/objects; chmod 000 .git`],
  'another common folder': ['.', `mkdir e; cd e; ${evil}; cd ..; echo ../e > .git/commondir`],
  'a submodule that was not': [
    'sub',
    `mkdir -p .git/modules/x sub && cd .git/modules/x && ${evil}; cd ../../..; echo gitdir: ../.git/modules/x > sub/.git`,
  ],
  'a worktree of its own': [
    'zz',
    `mkdir -p .git/worktrees/z zz e; cd e; ${evil}; cd ..; echo ref: refs/heads/main > .git/worktrees/z/HEAD; echo ../../../e > .git/worktrees/z/commondir; echo gitdir: ../.git/worktrees/z > zz/.git`,
  ],
  'a repository of its own': ['x', nested],
  'the same as a submodule': ['.', `${nested}; cd ..; git add x 2>/dev/null`],
  'a hook in one of its own': [
    'x',
    `git init -q x; mkdir -p x/.git/hooks; printf '#!/bin/sh\\ntouch %s\\n' "$MARK" > x/.git/hooks/post-index-change; chmod +x x/.git/hooks/*; touch x/f; git -C x add f; touch x/g`,
  ],
  'a bare repository below': ['deep/down', `mkdir -p deep/down; cd deep/down; ${evil}`],
  'among the objects of git': [
    'y',
    `mkdir -p .git/objects/e y; cd .git/objects/e; ${evil}; cd ../../..; echo gitdir: ../.git/objects/e > y/.git`,
  ],
  'a link where git writes': [
    '.',
    'rm -f .git/COMMIT_EDITMSG .git/logs/HEAD; ln -s "$MARK" .git/COMMIT_EDITMSG; ln -s "$MARK" .git/logs/HEAD; ln -s "$MARK" .git/FETCH_HEAD',
  ],
}

for (const kind of await kindsHere()) {
  for (const actor of actorsHere()) {
    test(`[S8, S35] nothing that ${actor.name} leaves behind in ${kind} is started by the git of a person`, async (t) => {
      const started: string[] = []
      for (const [name, [where, script]] of Object.entries(plants)) {
        const { root, mark } = await repository(t)
        actor.own(root)
        await actor.run(kind, [{ argv: ['sh', '-c', script], root, access: 'change', env: { ...committer, MARK: mark } }])
        useGit(root, where)
        if (existsSync(mark)) started.push(name)
        assert.deepEqual([name, readFileSync(join(root, '.git/config'), 'utf8').includes('fsmonitor')], [name, false])
      }

      assert.deepEqual(started, [])
    })

    test(`[S8] in ${kind} ${actor.name} does with git what committing is about`, async (t) => {
      const { root } = await repository(t)
      actor.own(root)
      const steps = [
        'git checkout -qb side && echo 1 > a && git add . && git commit -qm a && git commit -q --amend -m b',
        'git checkout -q - && echo 2 > b && git add . && git commit -qm c && git merge -q side -m merged && git branch -d side',
        'git checkout -qb other HEAD~1 && echo 3 > c && git add . && git commit -qm d && git rebase -q - && git tag v1 && git tag -a v2 -m two',
        'echo 4 >> c && git stash -q && git stash pop -q && git checkout -q c && git checkout -qb pick HEAD~1 && git cherry-pick other && git checkout -q other',
        'git gc -q && git branch packed && git pack-refs --all && git branch -D packed && git fsck && git status --short',
      ]

      const results = await actor.run(
        kind,
        steps.map((script): Command => ({ argv: ['bash', '-c', `set -e; ${script}`], root, access: 'change', env: committer })),
      )

      assert.deepEqual(
        results.map(({ exit_code, stderr }) => [exit_code, stderr.includes('sandbox:')]),
        steps.map(() => [0, false]),
      )
    })
  }

  test(`[S35] a command in ${kind} is stopped as soon as it bends the repository, and the repository put right`, async (t) => {
    for (const bend of ['echo ../e > .git/commondir', 'echo junk > .git/HEAD', 'rm .git/HEAD']) {
      const { root, mark } = await repository(t)

      const result = await runCommand({ argv: ['sh', '-c', `${bend}; sleep 600`], root, access: 'change' }, { kind })

      useGit(root, '.')
      assert.deepEqual([bend, result.ended, existsSync(mark)], [bend, 'killed', false])
      assert.match(readFileSync(join(root, '.git/HEAD'), 'utf8'), /^ref: refs\/heads\//)
    }
  })

  test(`[S35] a command in ${kind} gains nothing when a person changes the settings of git meanwhile`, async (t) => {
    const { root, mark } = await repository(t)
    const script = `touch began; while :; do printf '[core]\\n\\tfsmonitor = "touch %s; false"\\n' "$MARK" >> .git/config; done 2>/dev/null`

    const running = runCommand({ argv: ['sh', '-c', script], root, access: 'change', env: { MARK: mark } }, { kind })
    await until(() => existsSync(join(root, 'began')))
    execFileSync('git', ['config', 'user.name', 'A Person'], { cwd: root })
    const { ended } = await running

    useGit(root, '.')
    assert.deepEqual([ended, existsSync(mark)], ['killed', false])
  })

  test(`[S8] what a person has in a nested repository stays, and a command in ${kind} adds nothing to it`, async (t) => {
    const { root } = await repository(t)
    await mkdir(join(root, 'mine'))
    await git(join(root, 'mine'), ['init', '-q'])
    const config = join(root, 'mine/.git/config')
    writeFileSync(config, `${readFileSync(config, 'utf8')}[alias]\n\tx = "!true"\n`)
    const before = readFileSync(config, 'utf8')

    const script = 'cd mine; echo evil >> .git/config; echo evil > .git/hooks/pre-commit; mv .git old; git commit -q --allow-empty -m x'
    const { exit_code } = await runCommand({ argv: ['sh', '-c', script], root, access: 'change', env: committer }, { kind })

    assert.deepEqual([exit_code, readFileSync(config, 'utf8')], [0, before])
    assertNone(['hooks/pre-commit', '../old', 'config.set-aside'], (name) => existsSync(join(root, 'mine/.git', name)))
  })
}

/** A repository with a commit, and a file that shows that a program was started. */
async function repository(t: TestContext): Promise<{ root: string; mark: string }> {
  const folder = await testWorkspace(t, { 'root/kept': 'text' })
  const root = join(folder, 'root')
  await git(root, ['init', '-q'])
  await git(root, ['add', '.'])
  await git(root, ['commit', '-qm', 'first'], { env: committer })
  return { root, mark: join(folder, 'mark') }
}

/** What a person and their editor do, with everything on that Troupe turns off for itself. */
function useGit(root: string, where: string): void {
  const place = existsSync(join(root, where)) ? join(root, where) : root
  const env = { ...process.env, ...committer }
  for (const args of [['status'], ['add', '-A'], ['commit', '-qm', 'of a person', '--allow-empty']]) {
    try {
      execFileSync('git', ['-c', 'safe.directory=*', ...args], { cwd: place, env, stdio: 'ignore' })
    } catch {
      continue // a git that refuses starts nothing
    }
  }
}
