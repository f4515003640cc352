import { readdirSync } from 'node:fs'
import { judged, within, type Bench, type Row } from './bench.ts'

const notBenches = ['bench.ts', 'board-claims.ts', 'bench-agent.ts', 'bare-exchange.ts', 'run.ts']
const headings = ['what', 'floor', 'ours', 'ratio', 'budget', 'verdict']

const only = process.argv.slice(2)
const rows: Row[] = []
for (const { name, run } of await benches(only)) {
  process.stderr.write(`▸ ${name}\n`)
  rows.push(...(await run()))
}
console.log(table([headings, ...rows.map(cells)]))
process.exitCode = rows.every(within) ? 0 : 1

async function benches(names: readonly string[]): Promise<Bench[]> {
  const files = readdirSync(import.meta.dirname).filter((file) => file.endsWith('.ts') && !notBenches.includes(file))
  const wanted = files.filter((file) => names.length === 0 || names.includes(file.replace('.ts', '')))
  if (wanted.length === 0) throw new Error(`No such bench; there are ${files.map((file) => file.replace('.ts', '')).join(', ')}`)
  return Promise.all(wanted.toSorted().map(load))
}

async function load(file: string): Promise<Bench> {
  const loaded: { bench?: Bench } = await import(`./${file}`)
  if (!loaded.bench) throw new Error(`bench/${file} must export \`bench\` (see bench/bench.ts)`)
  return loaded.bench
}

function cells(row: Row): string[] {
  const floor = row.floor === undefined ? '' : `${shown(row.floor)} ${row.unit}`
  const ratio = row.floor === undefined ? '' : `${shown(judged(row))} ×`
  const unit = row.floor === undefined ? row.unit : '×'
  const budget = 'at_most' in row.budget ? `≤ ${row.budget.at_most} ${unit}` : `≥ ${row.budget.at_least} ${unit}`
  return [row.what, floor, `${shown(row.ours)} ${row.unit}`, ratio, budget, within(row) ? 'kept' : 'MISSED']
}

function shown(value: number): string {
  return value >= 100 ? Math.round(value).toString() : value.toFixed(2)
}

function table(lines: string[][]): string {
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
