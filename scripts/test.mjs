import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { build } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { leavingNothing } from './leaving-nothing.mjs'
import { main, pinnedNode, root, run, runQuietly, step } from './steps.mjs'

/** No test depends on speed; the limits only keep one that hangs from hanging everything, also where it leaves a process behind. */
const HANGS_AFTER_MS = 10 * 60_000
const PART_HANGS_AFTER_MS = 2 * HANGS_AFTER_MS

/** How many processes test at once: one more than there are cores, because each waits now and then, for a disk or a browser. */
const LANES = Math.min(5, availableParallelism() + 1)

/** What several processes and machines do to one store, and a journey of each way to work; the store itself is tested on both anyway. */
const onBothDatabases = `{${[
  'src/board/{claim,agents,life,merge,verdict,team/supervise}',
  'src/jobs/step',
  'src/chat/{plan-act,queue,limits}',
  'src/api/handlers/board{,-plan,-task}',
  'tests/journeys/board-team',
].join(',')}}.test.ts`

/** A process for many files saves what it costs to load everything; one that has grown large starts others slowly, so it is several. */
const together = ['--test-isolation=none']
const apart = ['--test-concurrency=1']

// The slow ones first: at the end every lane should have something left to do.
// oxfmt-ignore
const suites = [
  { title: 'browser',       pattern: 'tests/browser/**/*.test.ts',  flags: apart,    parts: 4 },
  { title: 'journeys',      pattern: 'tests/journeys/**/*.test.ts', flags: apart,    parts: 4 },
  { title: 'on PostgreSQL', pattern: onBothDatabases,               flags: together, parts: 1, env: { TROUPE_TEST_DATABASE: 'postgres' } },
  { title: 'units',         pattern: 'src/**/*.test.ts',            flags: together, parts: 6 },
  { title: 'guards',        pattern: 'tests/{,mcp-*/}*.test.ts',    flags: together, parts: 1 },
]

await main(async () => {
  await ensureInstalled()
  await ensureBubblewrap()
  const named = process.argv.slice(2)
  const failed = named.length === 0 ? await everything() : await only(named)
  if (failed.length > 0) throw new Error(`npm test: ${failed.join(', ')} failed`)
  process.stderr.write('\n✔ all passed\n')
})

/** Everything that must hold. What fails does not hide what comes after it. */
async function everything() {
  const failed = []
  await step('check', () => run(process.execPath, ['scripts/check.mjs'])).catch(() => failed.push('check'))
  await build()
  const clean = await leavingNothing(async (env) => {
    const waiting = suites.flatMap(partsOf)
    const lane = async () => {
      for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) if (!(await passes(part, env))) failed.push(part.title)
    }
    await Promise.all(Array.from({ length: LANES }, lane))
  })
  if (!clean) failed.push('leaving nothing behind')
  return [...new Set(failed)]
}

function partsOf({ parts, ...suite }) {
  return Array.from({ length: parts }, (_, at) => ({ ...suite, shard: `${at + 1}/${parts}` }))
}

/** Several run at once, so each keeps what it says until it is done. */
async function passes({ title, pattern, flags, shard, env: own }, env) {
  const name = shard === '1/1' ? title : `${title}, part ${shard}`
  const args = testArgs(pattern, [...flags, `--test-shard=${shard}`])
  const { ok, output, took } = await runQuietly(pinnedNode, args, { ...env, ...own }, PART_HANGS_AFTER_MS)
  process.stderr.write(`▸ ${name}\n${output}  ${ok ? 'done in' : 'failed after'} ${took}\n`)
  return ok
}

/** The test files of these names, and nothing else: `npm test -- doctor journeys/demo`. */
async function only(names) {
  const files = ['src', 'tests'].flatMap((folder) => readdirSync(join(root, folder), { recursive: true }))
  const unknown = names.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}.test.ts`)))
  if (unknown.length > 0) {
    throw new Error(`npm test: no test file is called ${unknown.join(', ')}; give the name without .test.ts, as in doctor or journeys/demo`)
  }
  const failed = []
  await build()
  for (const name of names) {
    const args = testArgs(`{src,tests}/**/${name}.test.ts`, apart)
    await step(name, () => run(pinnedNode, args)).catch(() => failed.push(name))
  }
  return failed
}

function testArgs(pattern, flags) {
  return ['--test', `--test-reporter=${join(root, 'scripts', 'reporter.mjs')}`, `--test-timeout=${HANGS_AFTER_MS}`, ...flags, pattern]
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
