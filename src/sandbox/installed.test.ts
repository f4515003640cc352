import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { each } from '../domain/test-each.ts'
import { git } from './git/git.ts'
import type { Command } from './sandbox.ts'
import { actorsHere, kindsHere } from './test-actor.ts'
import { committer } from './test-surroundings.ts'
import { testWorkspace, visiblePlace } from './test-workspace.ts'

for (const kind of await kindsHere()) {
  for (const actor of actorsHere()) {
    test(`[S29] a worktree sees in ${kind} what was installed in its project, and ${actor.name} cannot change it`, async (t) => {
      const { project, elsewhere, roots } = await worktreesOf(
        await testWorkspace(t, { 'node_modules/dep/index.js': 'module.exports = 7', '.env': 'KEY=1', kept: 'text' }),
        await testWorkspace(t, { 'node_modules/dep/index.js': 'module.exports = 8' }),
      )
      actor.own(project)
      actor.own(elsewhere)

      const script = `node -p "require('dep')"; for up in ../../.. ..; do echo evil > $up/node_modules/dep/index.js; done; cat ${project}/.env`
      const results = await actor.run(
        kind,
        roots.map((root): Command => ({ argv: ['sh', '-c', script], root, access: 'change' })),
      )

      assert.deepEqual(each(results, 'stdout'), ['7\n', '7\n'])
      assert.equal(await readFile(join(project, 'node_modules/dep/index.js'), 'utf8'), 'module.exports = 7')
    })

    test(`[S29] [S26] in ${kind} ${actor.name} sees through node_modules neither the rest of the project nor a socket of another program`, async (t) => {
      const linked = await worktreesOf(await testWorkspace(t, { '.env': 'KEY=1', kept: 'text' }), await testWorkspace(t))
      await symlink('.', join(linked.project, 'node_modules'))
      const served = await worktreesOf(await testWorkspace(t, { 'node_modules/dep': '7', kept: 'text' }), await testWorkspace(t))
      const server = createServer((connection) => connection.end('REACHED')).listen(join(served.project, 'node_modules/socket'))
      t.after(() => server.close())
      await once(server, 'listening')
      for (const { project, elsewhere } of [linked, served]) for (const folder of [project, elsewhere]) actor.own(folder)

      const connect = `require('net').connect(process.argv[1]).on('data', (text) => console.log(String(text))).on('error', () => console.log('refused'))`
      const script = `for up in ../../.. ..; do cat $up/node_modules/.env; [ -e $up/node_modules/dep ] && "$1" -e "${connect}" $up/node_modules/socket; done`
      const argv = ['sh', '-c', script, 'sh', process.execPath] as const
      const results = await actor.run(
        kind,
        [...linked.roots, ...served.roots].map((root): Command => ({ argv: [...argv], root, access: 'read' })),
      )

      assert.deepEqual(each(results, 'stdout'), ['', '', 'refused\n', 'refused\n'])
    })

    test(`[S29, S30] in ${kind} ${actor.name} finds the packages of its own worktree and not those of the checkout around it`, async (t) => {
      const files = { kept: 'text', '.env': 'KEY=1', 'packages/a/index.js': 'module.exports = 1', 'node_modules/@own/none': '' }
      const hidden = await worktreesOf(await testWorkspace(t, files), await testWorkspace(t))
      const seen = await worktreesOf(await testWorkspace(t, files, visiblePlace), await testWorkspace(t))
      for (const { project, elsewhere, roots } of [hidden, seen]) {
        await symlink('../packages/a', join(project, 'node_modules/a'))
        await symlink('../../packages/a', join(project, 'node_modules/@own/a'))
        await symlink('../kept', join(project, 'node_modules/file'))
        await symlink('/etc', join(project, 'node_modules/away'))
        for (const root of roots) await writeFile(join(root, 'packages/a/index.js'), 'module.exports = 2')
        for (const folder of [project, elsewhere]) actor.own(folder)
      }

      const places = [...hidden.roots.map((root) => [root, hidden.project] as const), [seen.roots[0] ?? '', seen.project] as const]
      const script = `node -p "require('a') + require('@own/a')"; cat "$1/.env"`
      const results = await actor.run(
        kind,
        places.map(([root, project]): Command => ({ argv: ['sh', '-c', script, 'sh', project], root, access: 'throw_away' })),
      )

      assert.deepEqual(each(results, 'stdout'), ['4\n', '4\n', '4\n'])
    })
  }
}

/** Two worktrees of a project: one inside it, as those of a board, and one in a repository that has nothing to do with it, as those of jobs. */
async function worktreesOf(project: string, elsewhere: string): Promise<{ project: string; elsewhere: string; roots: string[] }> {
  await git(project, ['init', '-q'])
  for (const name of ['kept', 'packages']) await git(project, ['add', name])
  await git(project, ['commit', '-qm', 'first'], { env: committer })
  await git(elsewhere, ['init', '-q'])
  const roots = [join(project, '.troupe/worktrees/one'), join(elsewhere, 'jobs/two')]
  for (const root of roots) await git(project, ['worktree', 'add', '-q', root])
  return { project, elsewhere, roots }
}
