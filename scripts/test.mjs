import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { build } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { main, pinnedNode, root, run, step } from './steps.mjs'

/** No test depends on speed; the limit only keeps one that hangs from hanging everything. */
const HANGS_AFTER_MS = 15 * 60_000

/** What several processes and machines do to one store, and a journey of each way to work; the store itself is tested on both anyway. */
const onBothDatabases = 'src/{board/{claim,agents,life,merge,verdict},board/team/supervise,jobs/step,chat/plan-act}.test.ts'

await main(async () => {
  await ensureInstalled()
  await ensureBubblewrap()
  const failed = []
  const named = process.argv.slice(2)
  for (const [title, work] of named.length === 0 ? suites() : only(named)) {
    await step(title, work).catch(() => failed.push(title))
  }
  if (failed.length > 0) throw new Error(`npm test: ${failed.join(', ')} failed`)
  process.stderr.write('\n✔ all passed\n')
})

/** Everything that must hold, cheapest first. A failing suite does not hide the ones after it. */
function suites() {
  return [
    ['check', () => run(process.execPath, ['scripts/check.mjs'])],
    ['build', () => build()],
    ['guards', () => nodeTest('tests/*.test.ts', '--test-isolation=none')],
    ['units', () => nodeTest('src/**/*.test.ts', '--test-isolation=none')],
    ['units on PostgreSQL', () => nodeTest(onBothDatabases, '--test-isolation=none', ['env', 'TROUPE_TEST_DATABASE=postgres'])],
    ['journeys', () => nodeTest('tests/journeys/**/*.test.ts', '--test-concurrency=2')],
    ['browser', () => nodeTest('tests/browser/**/*.test.ts', '--test-concurrency=1')],
  ]
}

/** The test files of these names, and nothing else: `npm test -- doctor package`. */
function only(names) {
  const unknown = names.filter((name) => globSync(`{src,tests}/**/${name}.test.ts`, { cwd: root }).length === 0)
  if (unknown.length > 0)
    throw new Error(`npm test: no test file is called ${unknown.join(', ')}; give the name without folder and .test.ts`)
  return [
    ['build', () => build()],
    ...names.map((name) => [name, () => nodeTest(`{src,tests}/**/${name}.test.ts`, '--test-concurrency=1')]),
  ]
}

function nodeTest(pattern, flag, under = []) {
  const reporter = `--test-reporter=${join(root, 'scripts', 'reporter.mjs')}`
  const [program, ...args] = [...under, pinnedNode, '--test', reporter, `--test-timeout=${HANGS_AFTER_MS}`, flag, pattern]
  return run(program, args)
}

/** The quicker of the two sandboxes. Without it the tests use `unshare`, which every Debian has. */
async function ensureBubblewrap() {
  if (onPath('bwrap')) return
  const mayInstall = process.getuid?.() === 0 && onPath('apt-get')
  if (!mayInstall) {
    process.stderr.write('▸ bubblewrap is not installed; going on with unshare. To install it: sudo apt-get install -y bubblewrap\n')
    return
  }
  const quiet = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  await step('apt-get install bubblewrap', async () => {
    await run('apt-get', ['update', '-qq'], quiet)
    await run('apt-get', ['install', '-y', '-qq', 'bubblewrap'], quiet)
  }).catch(() => process.stderr.write('  going on with unshare\n'))
}

function onPath(program) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)))
}
