import type { BoardView } from '../views.ts'

/** The command that puts a team to work on a board, whole, to be copied: a click takes all of it. */
export function TeamCommand({ board }: { board: Pick<BoardView, 'root'> }) {
  return (
    <code className="rounded border border-line bg-surface px-1.5 py-0.5 font-mono text-xs break-all text-ink select-all">
      troupe team --planner --cwd {/^[\w./-]+$/.test(board.root) ? board.root : JSON.stringify(board.root)}
    </code>
  )
}
