import { useParams } from 'wouter'
import type { TaskView } from './task-view.ts'
import { shorten } from '../../../src/domain/text/format.ts'
import { useRead } from '../../api.ts'
import { BackLink } from '../../ui/layout/back-link.tsx'
import { Badge, StateBadge } from '../../ui/status/badge.tsx'
import { Money } from '../../ui/text/figures.tsx'
import { Missing } from '../../ui/status/missing.tsx'
import { Loading } from '../../ui/status/notice.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { ActivityLog } from '../tabs/activity-log.tsx'
import { AnswerForm } from './answer-form.tsx'
import { StoreClock } from '../clock.tsx'
import { GraphTab } from '../tabs/graph-tab.tsx'
import { Holder } from './holder.tsx'
import { Records } from './record-list.tsx'
import { taskStates } from '../../../src/domain/board/task-flow.ts'
import { TaskAbout } from './task-about.tsx'
import { TaskActions } from './task-actions.tsx'
import { TaskFilesTab } from './task-files.tsx'
import { TaskHistory } from './task-history.tsx'
import { TaskWork } from './task-work.tsx'
import { VerdictList } from './verdict-list.tsx'

/** The whole of it is below. */
const ABOUT_CHARS = 200

/** One task: what it is, what state it is in, what was done and what was said about it. */
export default function TaskScreen() {
  const { id, task: taskId } = useParams<{ id: string; task: string }>()
  const view = useRead('board.get_task', { board: id, task: taskId })
  if (view.isPending) return <Loading />
  if (view.isError) return <Missing error={view.error} what="task" back={{ href: `/board/${id}`, label: 'Board' }} />
  const { task } = view.data
  return (
    <Page
      title={task.id}
      about={shorten(task.description.split('\n')[0] ?? '', ABOUT_CHARS)}
      standing={
        <StoreClock readAt={view.data.now}>
          <Standing boardId={id} view={view.data} />
        </StoreClock>
      }
      actions={<TaskActions boardId={id} view={view.data} />}
      wide
    >
      {task.status === 'BLOCKED' && <AnswerForm boardId={id} task={task} roomy />}
      <TaskTabs boardId={id} view={view.data} />
    </Page>
  )
}

function TaskTabs({ boardId, view }: { boardId: string; view: TaskView }) {
  const { task, verdicts, records } = view
  return (
    <Tabs
      tabs={[
        { key: 'about', label: 'Task', content: <TaskAbout boardId={boardId} view={view} /> },
        { key: 'work', label: 'Changes', content: <TaskWork boardId={boardId} view={view} /> },
        { key: 'verdicts', label: `Verdicts (${verdicts.length})`, content: <VerdictList verdicts={verdicts} /> },
        { key: 'files', label: 'Files', content: <TaskFilesTab boardId={boardId} task={task.id} /> },
        { key: 'graph', label: 'Dependencies', content: <GraphTab boardId={boardId} around={task.id} /> },
        { key: 'history', label: 'History', content: <TaskHistory view={view} /> },
        {
          key: 'records',
          label: `Notes and anomalies (${records.filter(({ kind }) => kind !== 'alignment').length})`,
          content: <Records boardId={boardId} records={records} />,
        },
        { key: 'log', label: 'Log', content: <ActivityLog boardId={boardId} task={task.id} /> },
      ]}
    />
  )
}

function Standing({ boardId, view }: { boardId: string; view: TaskView }) {
  const { task } = view
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-soft">
      <BackLink href={`/board/${boardId}`}>Board</BackLink>
      <StateBadge look={taskStates[task.status]} />
      <Badge>P{task.priority}</Badge>
      <Badge>{task.kind}</Badge>
      <Holder task={task} leaseDuration={view.lease_duration} />
      <span>
        iteration {task.iteration ?? 0} of {view.max_iterations}
      </span>
      <span>
        {task.review_cycles_current} of {view.max_review_cycles} rejections
      </span>
      <Money spent={view} />
    </div>
  )
}
