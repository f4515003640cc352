import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { useRead, useReads } from './api.ts'
import { chooseTheme, type Theme } from './theme.ts'
import { CommandPalette, type PaletteCommand } from './ui/command-palette.tsx'
import { places } from './ui/shell.tsx'

/** The palette with everything of this page in it: what can be begun, places, the theme, and what there is. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [, go] = useLocation()
  const found = useFound()
  const commands = useMemo(() => {
    const opening = ({ path, label, hint }: Entry) => ({ key: path, label, hint, run: () => go(path) })
    return [...always.map(opening), ...themes, ...found.map(opening)]
  }, [found, go])
  return <CommandPalette onClose={onClose} commands={commands} />
}

interface Entry {
  path: string
  label: string
  hint: string
}

const always: readonly Entry[] = [
  entry('/chat/new', 'New chat', 'Chat'),
  entry('/board/new', 'New goal', 'Board'),
  entry('/jobs/new', 'New job', 'Job'),
  entry('/workflows/new', 'New workflow', 'Workflow'),
  ...places.map(({ path, label }) => entry(path, `Go to ${label}`)),
]

const themes: readonly PaletteCommand[] = [
  theme('light', 'Light theme'),
  theme('dark', 'Dark theme'),
  theme('system', 'Theme of the system'),
]

function useFound(): readonly Entry[] {
  const chats = useRead('chat.list', {}).data?.chats
  const boards = useRead('board.list', {}).data?.boards
  const tasks = useTasks(boards ?? none)
  const jobs = useRead('job.list', {}).data?.jobs
  const workflows = useRead('workflow.list', {}).data?.workflows
  const roles = useRead('role.list', {}).data?.roles
  return useMemo(
    () => [
      ...(chats ?? []).map(({ id, title }) => entry(`/chat/${id}`, title, 'Chat')),
      ...(boards ?? []).map(({ id, goal }) => entry(`/board/${id}`, goal, 'Board')),
      ...tasks,
      ...(jobs ?? []).map(({ id, title }) => entry(`/jobs/${id}`, `${id}: ${title}`, 'Job')),
      ...(workflows ?? []).map(({ id, name }) => entry(`/workflows/show/${id}`, name, 'Workflow')),
      ...(roles ?? []).map(({ id, name }) => entry(`/roles/${id}`, name, 'Role')),
    ],
    [chats, boards, tasks, jobs, workflows, roles],
  )
}

const none: readonly { id: string }[] = []

/** The tasks of every board. */
function useTasks(boards: readonly { id: string }[]): readonly Entry[] {
  const inputs = useMemo(() => boards.map(({ id }) => ({ board: id })), [boards])
  const listed = useReads('board.list_tasks', inputs)
  return useMemo(
    () =>
      listed.flatMap((board, at) =>
        (board?.tasks ?? []).map(({ id, title }) => entry(`/board/${boards[at]?.id}/task/${id}`, `${id}: ${title}`, 'Task')),
      ),
    [listed, boards],
  )
}

function entry(path: string, label: string, hint = ''): Entry {
  return { path, label, hint }
}

function theme(choice: Theme, label: string): PaletteCommand {
  return { key: choice, label, hint: 'Theme', run: () => chooseTheme(choice) }
}
