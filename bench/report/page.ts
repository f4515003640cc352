import { execFileSync } from 'node:child_process'
import { cpus, totalmem, type } from 'node:os'
import packageJson from '../../package.json' with { type: 'json' }
import { table } from '../../tests/reference/markdown.ts'
import { within, type Row } from './bench.ts'
import { cells, headings } from './table.ts'

const GIB = 1024 ** 3

/** What one bench gave and how long it took. */
export interface Measured {
  file: string
  name: string
  rows: Row[]
  seconds: number
}

/** The page `docs/benchmarks.md`: every figure, on what it was taken, and why what is over its budget is over it. */
export function benchPage(measured: readonly Measured[], load: number, now: Date): string {
  const rows = measured.flatMap((bench) => bench.rows)
  const missed = rows.filter((row) => !within(row))
  const minutes = Math.round(measured.reduce((sum, bench) => sum + bench.seconds, 0) / 60)
  const busy = load > cpus().length / 2
  const unexplained = busy ? 'nothing is known but that the machine was busy' : 'not explained yet'
  return `${[
    '# Numbers',
    '',
    'Written by `npm run bench`, which runs every bench of `bench/` in one go on the embedded store. A *floor* is the same work done barely in the',
    "same run (bare Node, a bare spawn, plain SQL); where there is one, the budget is the ratio to it. Ratios and counts travel; milliseconds are this machine's.",
    '',
    `${now.toISOString().slice(0, 10)}: ${machine()}; ${versions()}. Took ${minutes} minutes at a load of ${load.toFixed(1)} from elsewhere.`,
    ...(busy
      ? ['', '**The machine was busy with other work, so the milliseconds of this page say little; take it anew on a quiet one.**']
      : []),
    '',
    `${rows.length - missed.length} of ${rows.length} budgets are kept.`,
    ...measured.flatMap(sectionOf),
    ...(missed.length === 0
      ? []
      : ['', '## Over budget, and why', '', ...missed.map((row) => `- **${row.what}**: ${row.why ?? unexplained}`)]),
  ].join('\n')}\n`
}

function sectionOf({ file, name, rows, seconds }: Measured): string[] {
  return [
    '',
    `## ${name[0]?.toUpperCase()}${name.slice(1)}`,
    '',
    table(headings, rows.map(cells)),
    '',
    `\`npm run bench ${file}\` (${Math.ceil(seconds)} s)`,
  ]
}

/** What the figures depend on and nothing that names the machine. */
function machine(): string {
  return `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${(totalmem() / GIB).toFixed(0)} GiB, ${type()} on ${process.arch}`
}

function versions(): string {
  const git = execFileSync('git', ['--version'], { encoding: 'utf8' }).trim()
  return `Troupe ${packageJson.version}, Node ${process.version}, SQLite ${process.versions['sqlite'] ?? 'of Node'}, ${git}`
}
