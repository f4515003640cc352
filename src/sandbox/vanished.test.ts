import assert from 'node:assert/strict'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { execFileSync } from 'node:child_process'
import { bubblewrapLaunch } from './bubblewrap.ts'
import { namespacesLaunch } from './namespaces.ts'
import { buildSandbox } from './confine.ts'
import { limitsOf } from './process/limits.ts'
import { kindsHere } from './test-actor.ts'
import { testWorkspace } from './test-workspace.ts'
import { commandView } from './view.ts'

const launches = { namespaces: namespacesLaunch, bubblewrap: bubblewrapLaunch }

for (const kind of await kindsHere()) {
  for (const name of ['.git', '.env', '.troupe', 'keys']) {
    test(`[S80] in ${kind}, ${name} that vanishes from a workspace before its sandbox is built is not made anew`, async (t) => {
      const root = await testWorkspace(t)
      execFileSync('git', ['init', '--quiet', root])
      for (const folder of ['.troupe', 'keys']) mkdirSync(join(root, folder))
      for (const file of ['.env', 'keys/id_rsa']) writeFileSync(join(root, file), 'SECRET=1\n')
      const view = commandView({ argv: ['true'], root, access: 'change', allowedSecrets: [] }, { as: 'change' })
      const launch = launches[kind](view, limitsOf({}))

      rmSync(join(root, name), { recursive: true })
      await buildSandbox(launch)
        .run(launch.write({ ...view, argv: ['true'] }), {})
        .catch(() => null)

      assert.equal(existsSync(join(root, name)), false)
    })
  }
}
