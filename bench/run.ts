import { readdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { cleaningUp } from '../src/sandbox/test-folder.ts'
import { within, type Bench } from './report/bench.ts'
import { measureInChild } from './report/in-child.ts'
import { benchPage, type Measured } from './report/page.ts'
import { textTable } from './report/table.ts'

/** Every other file of this folder is a bench; what benches use stands in the folders below. */
const files = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
  .map((file) => file.replace('.ts', ''))
  .toSorted()

const [first, ...rest] = process.argv.slice(2)
if (first === '--rows') await giveRows(rest[0] ?? '')
else await measure(first === undefined ? [] : [first, ...rest])

/** `npm run bench [NAME…]`: a table of those named; of all, it is also written to the page, which is all figures of one moment. */
async function measure(names: readonly string[]): Promise<void> {
  const unknown = names.filter((name) => !files.includes(name))
  if (unknown.length > 0) throw new Error(`No bench ${unknown.join(', ')}; there are ${files.join(', ')}`)
  const loadBefore = loadavg()[0] ?? 0
  const measured: Measured[] = []
  for (const file of names.length === 0 ? files : names) {
    process.stderr.write(`▸ ${file}\n`)
    measured.push(await measureInChild(file))
  }
  const rows = measured.flatMap((bench) => bench.rows)
  console.log(textTable(rows))
  if (names.length === 0) writeFileSync(join(import.meta.dirname, '../docs/benchmarks.md'), benchPage(measured, loadBefore, new Date()))
  process.exitCode = rows.every(within) ? 0 : 1
}

/** `--rows NAME`: what the child of a measurement says. */
async function giveRows(file: string): Promise<void> {
  const { bench }: { bench?: Bench } = await import(`./${file}.ts`)
  if (!bench) throw new Error(`bench/${file}.ts must export \`bench\` (see bench/report/bench.ts)`)
  const rows = await cleaningUp(bench.run)
  process.stdout.write(JSON.stringify({ name: bench.name, rows }))
}
