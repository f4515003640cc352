import type { Checkpoint, PathChange } from '../domain/checkpoint.ts'
import { netChanges } from './restore.ts'

/** What happened to files in one turn, or by going back: all its records together. */
export interface FileTurn {
  /** The number of its first record: going back to it makes everything as it was before. */
  number: number
  kind: 'turn' | 'restore'
  run_id: string
  at: string
  to: number | null
  changes: PathChange[]
  unkept: Checkpoint['unkept']
  /** Whether it was taken back and not brought back since. */
  undone: boolean
}

/** The records of a thread as turns, the oldest first. */
export function turnsIn(records: readonly Checkpoint[]): FileTurn[] {
  const groups: Checkpoint[][] = []
  for (const record of records) {
    const last = groups.at(-1)
    if (last?.[0] !== undefined && record.kind !== 'restore' && last[0].kind !== 'restore' && last[0].run_id === record.run_id)
      last.push(record)
    else groups.push([record])
  }
  const turns = groups.flatMap((group) => (group[0] === undefined ? [] : [turnOf(group[0], group)]))
  const inEffect = new Set(standing(turns).at(-1))
  return turns.map((turn) => ({ ...turn, undone: turn.kind === 'turn' && !inEffect.has(turn.number) }))
}

/** The turn that undo takes back: the last one that still holds. */
export function lastStanding(turns: readonly FileTurn[]): FileTurn | undefined {
  return turns.findLast(({ kind, undone }) => kind === 'turn' && !undone)
}

/** Which turns stand, before each turn and at the end. Going back to before a turn brings back what stood then. */
function standing(turns: readonly FileTurn[]): number[][] {
  const before = new Map<number, number[]>()
  let stack: number[] = []
  for (const { number, kind, to } of turns) {
    before.set(number, stack)
    stack = kind === 'turn' ? [...stack, number] : (before.get(to ?? number) ?? [])
  }
  return [...before.values(), stack]
}

function turnOf(first: Checkpoint, group: readonly Checkpoint[]): FileTurn {
  const { number, kind, run_id, at, to } = first
  const changes = netChanges(group).map(({ path, before, after }) => ({ path, before, after }))
  return {
    number,
    kind: kind === 'restore' ? 'restore' : 'turn',
    run_id,
    at,
    to,
    changes,
    unkept: group.flatMap(({ unkept }) => unkept),
    undone: false,
  }
}
