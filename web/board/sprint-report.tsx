import { useState } from 'react'
import { useRoute } from '../api.ts'
import { Markdown } from '../ui/markdown.tsx'
import { ErrorNote, Loading } from '../ui/notice.tsx'

/** The sprint as it is read at a checkpoint: opened there, folded away otherwise. */
export function SprintReport({ boardId, open }: { boardId: string; open: boolean }) {
  const [shown, setShown] = useState(open)
  return (
    <details open={open} onToggle={(event) => setShown(event.currentTarget.open)} className="rounded-xl border border-line bg-surface">
      <summary className="cursor-pointer px-4 py-2.5 text-sm font-semibold">Report of the sprint</summary>
      {shown && <ReportText boardId={boardId} />}
    </details>
  )
}

function ReportText({ boardId }: { boardId: string }) {
  const report = useRoute('getReport', { params: { id: boardId } })
  if (report.isPending) return <Loading />
  if (report.isError) return <ErrorNote error={report.error} />
  return (
    <div className="border-t border-line p-4">
      <Markdown text={report.data.text} />
    </div>
  )
}
