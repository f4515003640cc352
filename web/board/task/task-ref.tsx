import { Link } from 'wouter'

/** The id of a task; leads to its page. */
export function TaskRef({ boardId, task }: { boardId: string; task: string }) {
  return (
    <Link href={`/board/${boardId}/task/${task}`} className="shrink-0 font-mono text-xs text-accent underline">
      {task}
    </Link>
  )
}
