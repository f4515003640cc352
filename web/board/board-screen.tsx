import { useParams, useLocation } from 'wouter'
import type { BoardView } from './views.ts'
import { shorten } from '../../src/domain/text/format.ts'
import { useRead } from '../api.ts'
import { Badge } from '../ui/status/badge.tsx'
import { SelectField } from '../ui/form/field.tsx'
import { Missing } from '../ui/status/missing.tsx'
import { Loading } from '../ui/status/notice.tsx'
import { Page } from '../ui/layout/page.tsx'
import { Tabs } from '../ui/layout/tabs.tsx'
import { ActivityLog } from './tabs/activity-log.tsx'
import { AgentList } from './team/agent-list.tsx'
import { BoardColumns } from './columns/board-columns.tsx'
import { BoardSettings } from './board-settings.tsx'
import { BoardControls } from './board-controls.tsx'
import { BoardNotices } from './board-notices.tsx'
import { GraphTab } from './tabs/graph-tab.tsx'
import { NewBoard } from './new-board.tsx'
import { RecordList } from './task/record-list.tsx'
import { SprintTab } from './tabs/sprint-tab.tsx'

const TITLE_CHARS = 100
const toBoard = { href: '/board', label: 'Board' }

/** A board: the one that is named, else the one of the repository Troupe was started in, else the newest. */
export default function BoardScreen() {
  const { id } = useParams<{ id?: string }>()
  const boards = useRead('board.list', {})
  if (boards.isPending) return <Loading />
  if (boards.isError) return <Missing error={boards.error} what="board" back={toBoard} />
  const { boards: all, repository } = boards.data
  const chosen = id ?? (all.find(({ root }) => root === repository) ?? all[0])?.id
  if (chosen === undefined || chosen === 'new') return <NewBoard repository={repository} />
  return <OpenBoard key={chosen} id={chosen} />
}

function OpenBoard({ id }: { id: string }) {
  const board = useRead('board.view', { board: id })
  if (board.isPending) return <Loading />
  if (board.isError) return <Missing error={board.error} what="board" back={toBoard} />
  return (
    <Page
      {...headingOf(board.data.goal.description)}
      standing={<Standing board={board.data} />}
      actions={<BoardControls board={board.data} />}
      wide
    >
      <BoardNotices board={board.data} />
      <BoardTabs board={board.data} />
    </Page>
  )
}

/** The goal is the heading; of a long one its first line, with the whole below. */
function headingOf(goal: string): { title: string; about?: string } {
  const title = shorten(goal.split('\n')[0] ?? '', TITLE_CHARS)
  return title === goal ? { title } : { title, about: goal }
}

function BoardTabs({ board }: { board: BoardView }) {
  const working = board.agents.filter(({ status }) => status === 'WORKING' || status === 'REVIEWING').length
  return (
    <Tabs
      tabs={[
        { key: 'tasks', label: 'Tasks', content: <BoardColumns board={board} /> },
        { key: 'graph', label: 'Dependencies', content: <GraphTab boardId={board.id} /> },
        {
          key: 'agents',
          label: `Agents ${board.agents.length === 0 ? '' : `(${working} of ${board.agents.length} at work)`}`,
          content: <AgentList board={board} />,
        },
        { key: 'records', label: 'Notes and anomalies', content: <RecordList boardId={board.id} /> },
        { key: 'sprint', label: 'Sprint', content: <SprintTab board={board} /> },
        { key: 'log', label: 'Log', content: <ActivityLog boardId={board.id} /> },
      ]}
    />
  )
}

/** Which board this is and what state it is in, in one line. */
function Standing({ board }: { board: BoardView }) {
  const { goal, sprint, config, root } = board
  return (
    <div className="flex max-w-full min-w-0 flex-wrap items-center gap-x-2 gap-y-1 text-xs text-soft">
      <Badge tone={goal.status === 'IN_PROGRESS' ? 'accent' : goal.status === 'COMPLETED' ? 'good' : 'danger'}>
        goal {goal.status.toLowerCase().replace('_', ' ')}
      </Badge>
      <Badge>
        {sprint.id} · {sprint.status.toLowerCase().replace('_', ' ')}
      </Badge>
      {config.auto_approve && (
        <Badge tone="warn" title="Tasks become claimable without a person’s approval of the plan">
          plans approve themselves
        </Badge>
      )}
      <span className="truncate" title={root}>
        {root} → {config.integration_branch}
      </span>
      {goal.spec_ref !== null && <span className="font-mono">{goal.spec_ref}</span>}
      {goal.status === 'IN_PROGRESS' && <BoardSettings board={board} />}
      <BoardChoice board={board} />
    </div>
  )
}

/** Only where there are several boards is there a choice. */
function BoardChoice({ board }: { board: BoardView }) {
  const [, go] = useLocation()
  const all = useRead('board.list', {}).data?.boards ?? []
  if (all.length < 2) return null
  const options = all.map(({ id, goal, status }) => ({
    value: id,
    label: `${status.toLowerCase().replace('_', ' ')}: ${shorten(goal, 60)}`,
  }))
  return (
    <div className="w-64 sm:ml-auto">
      <SelectField label="Board" hideLabel value={board.id} options={options} onText={(text) => go(`/board/${text}`)} />
    </div>
  )
}
