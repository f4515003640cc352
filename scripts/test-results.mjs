import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { cpuMs } from './cpu.mjs'
import { root } from './steps.mjs'

/** Where the time of every test of the last run is, the slowest first. */
const times = join(root, 'node_modules', '.cache', 'troupe-tests', 'times.tsv')

/** What every file computed in the last run, the most first. */
const computed = join(dirname(times), 'cpu.tsv')

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
  tellCpu(of('part'), of('computed'))
  mkdirSync(dirname(times), { recursive: true })
  const slowest = results.filter(({ ms }) => ms !== undefined).toSorted((one, other) => other.ms - one.ms)
  writeFileSync(times, slowest.map(({ ms, place, name }) => `${(ms / 1000).toFixed(1)} s\t${relative(root, place)}\t${name}\n`).join(''))
}

/** Waiting depends on the machine and on what else it does; computing does not, so this is what shows a test that has become dear. */
function tellCpu(parts, files) {
  if (cpuMs() === 0) return
  const dearest = [...sums(files)].toSorted((one, other) => other[1] - one[1])
  const shares = [...sums(parts)].map(([title, ms]) => `${title} ${inSeconds(ms)}`)
  process.stderr.write(`computed for ${inSeconds(cpuMs())}: ${shares.join(', ')}; most of it in\n`)
  for (const [file, ms] of dearest.slice(0, 10)) process.stderr.write(`  ${inSeconds(ms).padStart(8)}  ${relative(root, file)}\n`)
  mkdirSync(dirname(computed), { recursive: true })
  writeFileSync(computed, dearest.map(([file, ms]) => `${inSeconds(ms)}\t${relative(root, file)}\n`).join(''))
}

function sums(results) {
  const total = new Map()
  for (const result of results) total.set(result.place, (total.get(result.place) ?? 0) + result.cpuMs)
  return total
}

function inSeconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`
}
