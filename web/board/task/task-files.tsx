import { useState } from 'react'
import { useRead } from '../../api.ts'
import { Badge } from '../../ui/status/badge.tsx'
import { TextField } from '../../ui/form/field.tsx'
import { EmptyState, ErrorNote, Loading } from '../../ui/status/notice.tsx'

/** The files of the worktree, those that were touched first, and the text of the chosen one. */
export function TaskFilesTab({ boardId, task }: { boardId: string; task: string }) {
  const found = useRead('board.list_task_files', { board: boardId, task })
  const [words, setWords] = useState('')
  const [chosen, setChosen] = useState<string | null>(null)
  if (found.isPending) return <Loading />
  if (found.isError) return <ErrorNote error={found.error} />
  const { worktree, files, count } = found.data
  if (worktree === null) {
    return (
      <EmptyState title="There is no worktree on this machine">
        It is made when a coder claims the task, and put away under a ref once the work is merged.
      </EmptyState>
    )
  }
  const shown = files.filter(({ path }) => path.toLowerCase().includes(words.toLowerCase()))
  const open = chosen ?? files[0]?.path
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(16rem,1fr)_2fr]">
      <div className="flex min-w-0 flex-col gap-2">
        <TextField label={`Find among ${count.toLocaleString()} files`} value={words} onText={setWords} />
        <ul className="max-h-[60dvh] overflow-y-auto rounded-lg border border-line bg-surface" tabIndex={0} aria-label="Files">
          {shown.map(({ path, state }) => (
            <li key={path} className="[contain-intrinsic-size:auto_2rem] [content-visibility:auto]">
              <button
                type="button"
                aria-pressed={path === open}
                onClick={() => setChosen(path)}
                className={`flex w-full items-center gap-2 px-3 py-1.5 text-left font-mono text-xs hover:bg-raised ${path === open ? 'bg-accent-wash' : ''}`}
              >
                <span className="min-w-0 flex-1 truncate" title={path}>
                  {path}
                </span>
                {state !== 'same' && <Badge tone={state === 'changed' ? 'accent' : 'warn'}>{state}</Badge>}
              </button>
            </li>
          ))}
        </ul>
        {files.length < count && <p className="text-xs text-soft">The first {files.length.toLocaleString()} are listed.</p>}
      </div>
      {open !== undefined && <FileText boardId={boardId} task={task} path={open} />}
    </div>
  )
}

function FileText({ boardId, task, path }: { boardId: string; task: string; path: string }) {
  const file = useRead('board.read_task_file', { board: boardId, task, path })
  if (file.isPending) return <Loading />
  if (file.isError) return <ErrorNote error={file.error} />
  return (
    <figure className="min-w-0 overflow-hidden rounded-lg border border-line">
      <figcaption className="border-b border-line bg-raised px-3 py-1.5 font-mono text-xs">{path}</figcaption>
      <pre tabIndex={0} className="max-h-[65dvh] overflow-auto bg-surface p-3 font-mono text-xs leading-5">
        {file.data.text}
      </pre>
    </figure>
  )
}
