import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { link, mkdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { treeOf } from '../../tests/tree.ts'
import { runCommand } from './run-command.ts'
import type { Command } from './sandbox.ts'
import { actorsHere, kindsHere } from './test-actor.ts'
import { testWorkspace } from './test-workspace.ts'

const files = { 'src/a.ts': 'a', 'src/deep/b.ts': 'b', 'docs/guide.md': 'guide', 'README.md': 'read', '.env': 'KEY=1' }

/** Ways to change `src` from a shell that may change `docs`. Each is tried; what came of it is seen in the tree. */
const attacks: Readonly<Record<string, string>> = {
  write: 'echo bad > src/a.ts; echo bad >> src/new.ts; truncate -s 0 src/a.ts; touch top; mkdir made',
  delete: 'rm -rf src README.md; rmdir src/deep; unlink src/a.ts',
  'rename across':
    'mv src docs/src; mv docs/guide.md src/; mv docs/guide.md README.md; mv src/deep/b.ts docs/; mv docs elsewhere; mv src gone',
  'link out':
    'ln -s ../src docs/way; echo bad > docs/way/a.ts; rm -rf docs/way/deep; ln src/a.ts docs/hard && echo bad > docs/hard; cp -l src/a.ts docs/hard2',
  'replace the folder': 'rm -rf docs; ln -s src docs; mkdir docs2 && mv docs2 docs',
  mode: 'chmod -R 777 src; touch src/a.ts; chown -R 0 src; setfattr -n user.a -v b src/a.ts',
  git: 'git add -A; git -c user.name=a -c user.email=a@b.c commit -qam bad; git update-ref refs/heads/bad HEAD; git checkout -qB bad; git stash; git reset --hard; echo bad > .git/HEAD; rm -rf .git/refs',
  remount: 'mount -o remount,bind,rw . ; umount docs; umount -l .; unshare -Urm mount -o remount,rw .',
  'through another': 'echo bad > /proc/1/cwd/src/a.ts; echo bad > /proc/self/root/$PWD/src/a.ts; cd docs && echo bad > ../src/a.ts',
}

async function project(t: TestContext): Promise<string> {
  const root = await testWorkspace(t, files)
  execFileSync(
    'sh',
    ['-c', 'git init -q -b main . && git add README.md src docs && git -c user.name=a -c user.email=a@b.c commit -qm one'],
    { cwd: root },
  )
  return root
}

/** What of a tree is not in `docs` and not one of git's own folders that are made beforehand. */
async function beyondDocs(root: string): Promise<unknown> {
  return Object.fromEntries(
    Object.entries(await treeOf(root)).filter(([path]) => !/^(docs(\/|$)|\.git\/(hooks|modules|worktrees)$)/.test(path)),
  )
}

for (const kind of await kindsHere()) {
  for (const actor of actorsHere()) {
    test(`[N12] in ${kind} a command of ${actor.name} that may change docs changes nothing else, by any way`, async (t) => {
      const root = await project(t)
      actor.own(root)
      const before = await beyondDocs(root)
      const bounds = { write_paths: [['docs/**']], read_paths: [] }
      const commands = Object.values(attacks).map((attack): Command => ({ argv: ['sh', '-c', attack], root, access: 'change', bounds }))

      await actor.run(kind, commands)
      const [written] = await actor.run(kind, [
        {
          argv: [
            'sh',
            '-c',
            'mkdir -p docs/new && echo ok > docs/new/page.md && mv docs/new/page.md docs/page.md && cat docs/page.md src/a.ts',
          ],
          root,
          access: 'change',
          bounds,
        },
      ])

      assert.deepEqual(await beyondDocs(root), before)
      assert.equal(written?.stdout.trim(), 'ok\na')
      assert.equal(await readFile(join(root, 'docs/page.md'), 'utf8'), 'ok\n')
    })
  }

  test(`[N12] in ${kind} a folder that is not there yet can be made, a file by its name changed, and a link or a second name is no way out`, async (t) => {
    const root = await project(t)
    await mkdir(join(root, 'linked'))
    await symlink('../src', join(root, 'linked/docs'))
    await link(join(root, 'src/a.ts'), join(root, 'docs/twin.ts'))
    const run = (script: string, ...globs: string[]) =>
      runCommand({ argv: ['sh', '-c', script], root, access: 'change', bounds: { write_paths: [globs], read_paths: [] } }, { kind })

    const made = await run('echo new > site/page.md', 'site/**')
    const named = await run('echo changed > README.md; echo bad > src/a.ts', 'README.md')
    const linked = await run('echo bad > linked/docs/a.ts; echo bad > linked/docs/new', 'linked/docs/**')
    const twin = await run('echo bad > docs/twin.ts; echo bad | tee docs/twin.ts; rm -f docs/twin.ts', 'docs/**')
    const nothing = await run('echo bad > top; echo bad > docs/guide.md')
    const both = await runCommand(
      {
        argv: ['sh', '-c', 'echo in > docs/a.md; echo out > src/x'],
        root,
        access: 'change',
        bounds: { write_paths: [['docs/**', 'src/**'], ['docs/**']], read_paths: [] },
      },
      { kind },
    )

    assert.deepEqual([made.exit_code, named.exit_code === 0, linked.exit_code === 0, both.exit_code === 0], [0, false, false, false])
    assert.equal(await readFile(join(root, 'site/page.md'), 'utf8'), 'new\n')
    assert.equal(await readFile(join(root, 'README.md'), 'utf8'), 'changed\n')
    assert.equal(await readFile(join(root, 'src/a.ts'), 'utf8'), 'a')
    assert.equal(await readFile(join(root, 'docs/guide.md'), 'utf8'), 'guide')
    assert.equal(await readFile(join(root, 'docs/a.md'), 'utf8'), 'in\n')
    assert.deepEqual(
      ['top', 'src/new', 'src/x'].filter((path) => existsSync(join(root, path))),
      [],
    )
    assert.notEqual(twin.exit_code, 0)
    assert.notEqual(nothing.exit_code, 0)
  })

  for (const access of ['read', 'throw_away', 'change'] as const) {
    test(`[N13] in ${kind} with access ${access} a command sees nothing beyond the paths its role may read, and makes nothing there`, async (t) => {
      const root = await project(t)
      const before = await beyondDocs(root)
      const bounds = { write_paths: [], read_paths: [['docs/**', 'README.md']] }
      const script =
        'find . -mindepth 1 | sort; cat src/a.ts .env; ls -a .git; git log; cat docs/../src/a.ts; cat /proc/1/root$PWD/src/a.ts; touch made; mkdir src && touch src/made; ln -s ../src docs/way; cat docs/way/a.ts'

      const { stdout } = await runCommand({ argv: ['sh', '-c', script], root, access, bounds }, { kind })

      assert.deepEqual(stdout.trim().split('\n'), ['./README.md', './docs', './docs/guide.md'])
      assert.deepEqual(await beyondDocs(root), before)
    })
  }

  test(`[N13] in ${kind} what may be read and what may be changed are held together`, async (t) => {
    const root = await project(t)
    const bounds = { write_paths: [['docs/**', 'src/**']], read_paths: [['docs/**', 'README.md']] }

    const { stdout } = await runCommand(
      {
        argv: ['sh', '-c', 'echo changed > docs/guide.md; echo bad > README.md; echo bad > src/a.ts; ls -A'],
        root,
        access: 'change',
        bounds,
      },
      { kind },
    )

    assert.deepEqual(stdout.trim().split('\n'), ['README.md', 'docs'])
    assert.equal(await readFile(join(root, 'docs/guide.md'), 'utf8'), 'changed\n')
    assert.equal(await readFile(join(root, 'README.md'), 'utf8'), 'read')
    assert.equal(await readFile(join(root, 'src/a.ts'), 'utf8'), 'a')
  })
}
