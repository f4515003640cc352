import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { each } from '../domain/test-each.ts'
import { testFolder } from '../sandbox/test-folder.ts'
import { gitText } from '../worktrees/repository.ts'
import { openTestGate } from './test-gate.ts'

const designer = { role: 'designer', permissions: ['read_files', 'create_files'] } as const

for (const [place, below] of [
  ['a folder below the top of a repository', 'sub/'],
  ['the top of a repository', ''],
] as const) {
  test(`[S34] a Designer makes no repository of ${place} that a person’s git would obey, in whatever order`, async (t) => {
    const ran = join(await testFolder(t), 'ran')
    const settings = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${ran}; false"\n`
    const files = { HEAD: 'ref: refs/heads/main\n', config: settings, 'objects/info/x': '', 'refs/heads/x': '' }
    const orders = [Object.entries(files), Object.entries(files).toReversed()]

    for (const order of orders) {
      const gate = (await openTestGate(t)).as(designer)
      await gitText(gate.root, ['init', '--quiet'])
      await mkdir(join(gate.root, 'sub'), { recursive: true })
      const results = []
      for (const [path, content] of order) results.push(await gate.call('create_file', { path: `${below}${path}`, content }))
      execFileSync('git', ['status'], { cwd: join(gate.root, below), stdio: 'ignore' })

      assert.ok(each(results, 'outcome').includes('denied'))
      assert.equal(existsSync(ran), false)
    }
  })
}
