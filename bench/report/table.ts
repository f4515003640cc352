import { judged, within, type Row } from './bench.ts'

/** The columns of every table of figures. */
export const headings = ['what', 'floor', 'ours', 'ratio', 'budget', 'verdict'] as const

/** A row as it is read: figures with their units, and whether the budget is kept. */
export function cells(row: Row): string[] {
  if (Number.isNaN(row.ours)) return [row.what, '', '', '', '', 'NOT MEASURED']
  const floor = row.floor === undefined ? '' : `${shown(row.floor)} ${row.unit}`
  const ratio = row.floor === undefined ? '' : `${shown(judged(row))} ×`
  const unit = row.floor === undefined ? row.unit : '×'
  const budget = 'at_most' in row.budget ? `≤ ${row.budget.at_most} ${unit}` : `≥ ${row.budget.at_least} ${unit}`
  return [row.what, floor, `${shown(row.ours)} ${row.unit}`, ratio, budget, within(row) ? 'kept' : 'MISSED']
}

/** The table for a terminal. */
export function textTable(rows: readonly Row[]): string {
  const lines = [[...headings], ...rows.map(cells)]
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

function shown(value: number): string {
  return value >= 100 ? Math.round(value).toString() : value.toFixed(2)
}
