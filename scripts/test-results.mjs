import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './steps.mjs'

/** Where the time of every test of the last run is, the slowest first. */
const times = join(root, 'node_modules', '.cache', 'troupe-tests', 'times.tsv')

/** Says how many tests passed, failed and were left out, and why those were; keeps how long each took. Takes the file the reporters wrote. */
export function tellResults(file, tookMs) {
  const results = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []
  rmSync(file, { force: true })
  const of = (wanted) => results.filter(({ outcome }) => outcome === wanted)
  for (const reason of new Set(of('skipped').map(({ why }) => why))) {
    process.stderr.write(`▸ skipped ${of('skipped').filter(({ why }) => why === reason).length}: ${reason}\n`)
  }
  const counts = ['passed', 'failed', 'skipped'].map((outcome) => `${of(outcome).length} ${outcome}`).join(', ')
  process.stderr.write(`\n${counts} in ${Math.floor(tookMs / 60_000)} min ${Math.round((tookMs % 60_000) / 1000)} s\n`)
  mkdirSync(dirname(times), { recursive: true })
  const slowest = results.toSorted((one, other) => other.ms - one.ms)
  writeFileSync(times, slowest.map(({ ms, place, name }) => `${(ms / 1000).toFixed(1)} s\t${relative(root, place)}\t${name}\n`).join(''))
}
