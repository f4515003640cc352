import { Fragment, useMemo, useSyncExternalStore, type ReactNode } from 'react'

interface DiffLine {
  kind: 'same' | 'added' | 'removed' | 'hunk'
  text: string
  before: number | null
  after: number | null
}

interface DiffRow {
  left: DiffLine | null
  right: DiffLine | null
}

interface DiffViewProps {
  patch: string
  name?: string
  /** What is said about lines of the new file, by their numbers. */
  notes?: ReadonlyMap<number, ReactNode>
}

/** A unified diff, shown side by side where there is room, else line after line. */
export function DiffView({ patch, name, notes }: DiffViewProps) {
  const lines = useMemo(() => parsePatch(patch), [patch])
  const narrow = useNarrow()
  return (
    <figure className="overflow-hidden rounded-lg border border-line">
      {name !== undefined && <figcaption className="border-b border-line bg-raised px-3 py-1.5 font-mono text-xs">{name}</figcaption>}
      <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={`Changes${name === undefined ? '' : ` in ${name}`}`}>
        <table className="w-full table-fixed border-collapse font-mono text-xs leading-5">
          <tbody>{narrow ? <OneColumn lines={lines} notes={notes} /> : <TwoColumns lines={lines} notes={notes} />}</tbody>
        </table>
      </div>
    </figure>
  )
}

interface LinesProps {
  lines: readonly DiffLine[]
  notes: DiffViewProps['notes']
}

function OneColumn({ lines, notes }: LinesProps) {
  return lines.map((line, index) => (
    <Fragment key={index}>
      <tr className="align-top">
        <Side line={line} number={line.after ?? line.before} />
      </tr>
      <Note note={notes?.get(line.after ?? -1)} />
    </Fragment>
  ))
}

function TwoColumns({ lines, notes }: LinesProps) {
  return useMemo(() => sideBySide(lines), [lines]).map((row, index) => (
    <Fragment key={index}>
      <tr className="align-top">
        <Side line={row.left} number={row.left?.before ?? null} />
        <Side line={row.right} number={row.right?.after ?? null} />
      </tr>
      <Note note={notes?.get(row.right?.after ?? -1)} />
    </Fragment>
  ))
}

const small = window.matchMedia('(max-width: 40rem)')

/** Whether two columns of code would be too narrow to read. */
function useNarrow(): boolean {
  return useSyncExternalStore(
    (told) => {
      small.addEventListener('change', told)
      return () => small.removeEventListener('change', told)
    },
    () => small.matches,
  )
}

function Note({ note }: { note: ReactNode }) {
  if (note === undefined) return null
  return (
    <tr>
      <td colSpan={2} className="p-2">
        {note}
      </td>
    </tr>
  )
}

const paint = { same: '', added: 'bg-good-wash', removed: 'bg-danger-wash', hunk: 'bg-raised text-soft' } as const
const sign = { same: ' ', added: '+', removed: '-', hunk: '' } as const

function Side({ line, number }: { line: DiffLine | null; number: number | null }) {
  if (line === null) return <td className="border-line bg-raised sm:border-r" />
  return (
    <td className={`border-line sm:border-r ${paint[line.kind]}`}>
      <div className="flex">
        <span className="w-9 shrink-0 pr-2 text-right text-soft select-none">{number ?? ''}</span>
        <span className="w-3 shrink-0 select-none">{sign[line.kind]}</span>
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere] whitespace-pre-wrap">{line.text}</span>
      </div>
    </td>
  )
}

/** The lines of a unified diff with their numbers on both sides; file headers are left out. */
export function parsePatch(patch: string): DiffLine[] {
  const lines: DiffLine[] = []
  let before = 0
  let after = 0
  for (const raw of patch.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)/.exec(raw)
    if (hunk) {
      before = Number(hunk[1])
      after = Number(hunk[2])
      lines.push({ kind: 'hunk', text: hunk[3]?.trim() || '⋯', before: null, after: null })
      continue
    }
    if (lines.length === 0) continue
    if (raw.startsWith('+')) lines.push({ kind: 'added', text: raw.slice(1), before: null, after: after++ })
    else if (raw.startsWith('-')) lines.push({ kind: 'removed', text: raw.slice(1), before: before++, after: null })
    else if (raw.startsWith(' ')) lines.push({ kind: 'same', text: raw.slice(1), before: before++, after: after++ })
  }
  return lines
}

/** Removed lines face the added lines that replace them. */
function sideBySide(lines: readonly DiffLine[]): DiffRow[] {
  const rows: DiffRow[] = []
  let removed: DiffLine[] = []
  for (const line of lines) {
    if (line.kind === 'removed') {
      removed.push(line)
      rows.push({ left: line, right: null })
      continue
    }
    if (line.kind === 'added') {
      const facing = removed.shift()
      const row = rows.find((candidate) => facing !== undefined && candidate.left === facing)
      if (row) row.right = line
      else rows.push({ left: null, right: line })
      continue
    }
    removed = []
    rows.push({ left: line, right: line })
  }
  return rows
}
