import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { build } from './build.mjs'
import { ensureInstalled } from './install.mjs'
import { leavingNothing } from './leaving-nothing.mjs'
import { main, pinnedNode, root, run, runQuietly, step, withPinnedNode } from './steps.mjs'
import { tellResults } from './test-results.mjs'

/** No test depends on speed; the limits only keep one that hangs from hanging everything, also where it leaves a process behind. */
const HANGS_AFTER_MS = 10 * 60_000
const PART_HANGS_AFTER_MS = 2 * HANGS_AFTER_MS

/** How many processes test at once: one more than there are cores, because each waits now and then, for a disk or a browser. */
const LANES = Math.min(5, availableParallelism() + 1)

/** What several processes and machines do to one store, and a journey of each way to work; the store itself is tested on both anyway. */
const onBothDatabases = `{${[
  'src/board/{life,agent/agents,task/{claim,merge,verdict},team/supervise}',
  'src/jobs/step/step',
  'src/chat/{plan-act,queue,limits}',
  'src/api/handlers/board{,-plan,-task}',
  'tests/journeys/board-team',
].join(',')}}.test.ts`

/** A process for many files saves what it costs to load everything; one that has grown large starts others slowly, so it is several. */
const together = ['--test-isolation=none']

// The slow ones first: at the end every lane should have something left to do.
// oxfmt-ignore
const suites = [
  { title: 'browser',       pattern: 'tests/browser/**/*.test.ts',  parts: 5 },
  { title: 'journeys',      pattern: 'tests/journeys/**/*.test.ts', parts: 8 },
  { title: 'on PostgreSQL', pattern: onBothDatabases,               parts: 1, env: { TROUPE_TEST_DATABASE: 'postgres' } },
  { title: 'units',         pattern: 'src/**/*.test.ts',            parts: 6 },
  { title: 'guards',        pattern: 'tests/{,mcp-*/}*.test.ts',    parts: 1 },
]

await main(async () => {
  await ensureInstalled()
  sayWhatIsMissing()
  const named = process.argv.slice(2).map(partNamed)
  await build()
  const failed =
    named.length > 0 ? await runAll(named, { lanes: 1, play: runShown }) : await runAll(everything(), { lanes: LANES, play: runKept })
  if (failed.length > 0) throw new Error(`npm test: ${failed.join(', ')} failed`)
  process.stderr.write('\n✔ all passed\n')
})

/** Nothing is installed on the system: what a machine lacks is left out, and said. */
function sayWhatIsMissing() {
  const found = ['/usr/bin', '/bin', '/usr/local/bin'].some((folder) => existsSync(join(folder, 'bwrap')))
  if (process.platform !== 'linux' || found) return
  process.stderr.write('▸ bubblewrap is not installed: the sandbox is tested with namespaces alone\n')
}

function everything() {
  return [{ title: 'check', name: 'check', program: process.execPath, args: ['scripts/check.mjs'] }, ...suites.flatMap(partsOf)]
}

function partsOf({ title, pattern, parts, env }) {
  return Array.from({ length: parts }, (_, at) => {
    const shard = `${at + 1}/${parts}`
    const name = parts === 1 ? title : `${title}, part ${shard}`
    return { title, name, program: pinnedNode, args: testArgs([pattern], [`--test-shard=${shard}`]), env }
  })
}

/** The test files of this name or in this folder, and nothing else: `npm test -- doctor journeys/demo src/store`. */
function partNamed(name) {
  const files = ['src', 'tests'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, String(file))),
  )
  const isNamed = (file) => `/${file}`.endsWith(`/${name}.test.ts`) || file.startsWith(`${name.replace(/\/+$/, '')}/`)
  const named = files.filter((file) => file.endsWith('.test.ts') && isNamed(file))
  if (named.length === 0) {
    const right = 'give a name without .test.ts or a folder, as in doctor, journeys/demo or src/store'
    throw new Error(`npm test: there is no test file ${name}; ${right}`)
  }
  return { title: name, name, program: pinnedNode, args: testArgs(named) }
}

/** Plays the parts, several at once; gives the titles of those that failed. What fails does not hide what comes after it. */
async function runAll(parts, { lanes, play }) {
  const failed = []
  const started = Date.now()
  const waiting = [...parts]
  const clean = await leavingNothing(async (env) => {
    const results = join(env.TMPDIR, 'results')
    const lane = async () => {
      for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
        if (!(await play(part, { ...env, TROUPE_TEST_RESULTS: results, TROUPE_TEST_PART: part.title, ...part.env })))
          failed.push(part.title)
      }
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    tellResults(results, Date.now() - started)
  })
  if (!clean) failed.push('leaving nothing behind')
  return [...new Set(failed)]
}

/** Several run at once, so each keeps what it says until it is done. */
async function runKept({ name, program, args }, env) {
  const { ok, output, took } = await runQuietly(program, args, env, PART_HANGS_AFTER_MS)
  process.stderr.write(`▸ ${name}\n${output}  ${ok ? 'done in' : 'failed after'} ${took}\n`)
  return ok
}

/** Alone it shows what it says while it runs. */
async function runShown({ name, program, args }, env) {
  const ended = step(name, () => run(program, args, { env: { ...withPinnedNode(), ...env } }))
  return ended.then(
    () => true,
    () => false,
  )
}

function testArgs(patterns, flags = []) {
  const reporter = join(root, 'scripts', 'reporter.mjs')
  return ['--test', `--test-reporter=${reporter}`, `--test-timeout=${HANGS_AFTER_MS}`, ...together, ...flags, ...patterns]
}
