import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { confineProgram } from './confine-program.ts'
import { buildSandbox } from './confine.ts'
import { limitsOf } from './process/limits.ts'
import { seccompFilter } from './seccomp.ts'
import { actorsHere, kindsHere } from './test-actor.ts'
import { noVisiblePlace, testWorkspace, visiblePlace } from './test-workspace.ts'
import { namespacesLaunch } from './namespaces.ts'
import { commandView } from './view.ts'

/** Not the terminal: whoever writes to it changes its times. */
const names = ['null', 'zero', 'full', 'random', 'urandom']
const onlyRoot = process.getuid?.() !== 0 && 'only root can do this'

for (const kind of await kindsHere()) {
  for (const actor of actorsHere()) {
    test(`[S37] in ${kind} ${actor.name} uses devices and changes neither their mode nor their times`, async (t) => {
      const root = await testWorkspace(t)
      const marks = () =>
        names.map((name) => statSync(`/dev/${name}`, { bigint: true })).map(({ mode, mtimeNs, ctimeNs }) => [mode, mtimeNs, ctimeNs])
      const before = marks()
      const script = `for f in ${names.join(' ')}; do chmod u+r /dev/$f; touch /dev/$f; done; head -c 3 /dev/zero | wc -c; echo x > /dev/null && echo wrote; head -c 1 /dev/urandom | wc -c`

      const [result] = await actor.run(kind, [{ argv: ['sh', '-c', script], root, access: 'change' }])

      assert.deepEqual([marks(), result?.stdout], [before, '3\nwrote\n1\n'])
    })
  }

  test(
    `[S37] in ${kind} a device outside /dev cannot be opened, in the workspace or beside it`,
    { skip: onlyRoot || noVisiblePlace },
    async (t) => {
      const [root, place] = [await testWorkspace(t), await testWorkspace(t, {}, visiblePlace)]
      for (const folder of [root, place]) execFileSync('mknod', [join(folder, 'zero'), 'c', '1', '5'])
      const [actor] = actorsHere()

      const script = 'head -c 3 "$1/zero" | wc -c; head -c 3 zero | wc -c; echo ran'
      const accesses = ['read', 'change', 'throw_away'] as const
      const results = await actor?.run(
        kind,
        accesses.map((access) => ({ argv: ['sh', '-c', script, 'sh', place], root, access })),
      )

      assert.deepEqual(
        results?.map(({ stdout }) => stdout),
        ['0\n0\nran\n', '0\n0\nran\n', '0\n0\nran\n'],
      )
    },
  )
}

const starts = (await kindsHere()).includes('namespaces') && seccompFilter(process.arch) !== null

test(
  '[S36] the filter is loaded also where its program lost the right to be executed',
  { skip: !starts && 'needs a processor the filter is made for' },
  async (t) => {
    const root = await testWorkspace(t)
    const folder = `linux-${process.arch}`
    mkdirSync(join(root, folder))
    copyFileSync(new URL(`../../native/${folder}/confine`, import.meta.url), join(root, folder, 'confine'))
    chmodSync(join(root, folder, 'confine'), 0o644)
    const program = confineProgram(process.arch, root)

    const view = commandView({ argv: ['sh'], root, access: 'read' }, { as: 'read' })
    const launch = namespacesLaunch(view, limitsOf({}), program)
    const order = launch.write({ ...view, argv: ['grep', 'Seccomp:', '/proc/self/status'] })
    const { stdout } = (await buildSandbox(launch).run(order, {})).result

    assert.deepEqual([program.startsWith(root), stdout], [false, 'Seccomp:\t2\n'])
  },
)

test('[S36] where the program is missing nothing is started without a filter', async (t) => {
  const root = await testWorkspace(t)

  assert.throws(() => confineProgram(process.arch, root), { code: 'sandbox_missing' })
})
