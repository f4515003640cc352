import type { TaskDiff, TaskView } from './task-view.ts'
import { counted, shortIds } from '../../../src/domain/text/format.ts'
import { useRead } from '../../api.ts'
import { DiffView, parsePatch } from '../../ui/diff.tsx'
import { EmptyState, ErrorNote, Loading } from '../../ui/status/notice.tsx'
import { BlockerNote, lineOf, type Blocker } from './blocker-note.tsx'

/** What the work changed, from its base to what is under review, with the last findings at their lines. */
export function TaskWork({ boardId, view }: { boardId: string; view: TaskView }) {
  const diff = useRead('board.get_task_diff', { board: boardId, task: view.task.id })
  if (diff.isPending) return <Loading />
  if (diff.isError) return <ErrorNote error={diff.error} />
  const { base, head, files } = diff.data
  if (head === null || files.length === 0) {
    return <EmptyState title="No work to show yet">What a coder commits on {view.branch} shows up here, file by file.</EmptyState>
  }
  const blockers = lastBlockers(view.verdicts)
  const elsewhere = blockers.filter(({ file }) => !files.some(({ path }) => path === file))
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm text-soft">
        {counted(files.length, 'file')} from <code className="font-mono">{shortIds(base ?? '')}</code> to{' '}
        <code className="font-mono">{shortIds(head)}</code>
        {blockers.length > 0 && `; ${counted(blockers.length, 'finding')} of the last rejection`}
      </p>
      {elsewhere.map((blocker) => (
        <BlockerNote key={blocker.id} blocker={blocker} whole />
      ))}
      {files.map((file) => (
        <FileDiff key={file.path} file={file} blockers={blockers.filter((blocker) => blocker.file === file.path)} />
      ))}
    </div>
  )
}

function FileDiff({ file, blockers }: { file: TaskDiff['files'][number]; blockers: readonly Blocker[] }) {
  const { path, status, added, removed, patch } = file
  const shown = new Set(parsePatch(patch ?? '').map(({ after }) => after))
  const placed = blockers.filter((blocker) => shown.has(lineOf(blocker) ?? -1))
  const unplaced = blockers.filter((blocker) => !placed.includes(blocker))
  const count = added === null ? 'binary' : `+${added} −${removed}`
  const notes = new Map(
    [...Map.groupBy(placed, (blocker) => lineOf(blocker) ?? 0)].map(([line, theirs]) => [
      line,
      theirs.map((blocker) => <BlockerNote key={blocker.id} blocker={blocker} />),
    ]),
  )
  return (
    <div className="flex flex-col gap-2 [contain-intrinsic-size:auto_20rem] [content-visibility:auto]">
      {unplaced.map((blocker) => (
        <BlockerNote key={blocker.id} blocker={blocker} whole />
      ))}
      {patch === null || added === null ? (
        <p className="rounded-lg border border-line px-3 py-2 font-mono text-xs">
          {path} · {status} · {patch === null ? 'too large to show here' : count}
        </p>
      ) : (
        <DiffView patch={patch} name={`${path} · ${status} · ${count}`} notes={notes} />
      )}
    </div>
  )
}

/** The findings of the newest verdict, if it was a rejection. */
function lastBlockers(verdicts: TaskView['verdicts']): readonly Blocker[] {
  const newest = verdicts[0]?.verdict
  return newest?.verdict === 'REJECTED' ? newest.blockers : []
}
