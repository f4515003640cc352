import { useMemo } from 'react'
import { useLocation } from 'wouter'
import { useRoute } from './api.ts'
import { CommandPalette } from './ui/command-palette.tsx'
import { places } from './ui/shell.tsx'

/** The palette with everything of this page in it: places, what can be begun, and what there is. */
export function Palette({ onClose }: { onClose: () => void }) {
  const [, go] = useLocation()
  const found = useFound()
  const commands = useMemo(
    () =>
      [...begin, ...places.map(({ path, label }) => entry(path, `Go to ${label}`)), ...found].map(({ path, label, hint }) => ({
        key: path,
        label,
        hint,
        run: () => go(path),
      })),
    [found, go],
  )
  return <CommandPalette onClose={onClose} commands={commands} />
}

interface Entry {
  path: string
  label: string
  hint: string
}

const begin: readonly Entry[] = [
  entry('/chat/new', 'New chat', 'Chat'),
  entry('/board/new', 'New goal', 'Board'),
  entry('/jobs/new', 'New job', 'Job'),
  entry('/workflows/new', 'New workflow', 'Workflow'),
]

function useFound(): readonly Entry[] {
  const chats = useRoute('listChats', { query: {} }).data?.chats
  const boards = useRoute('listBoards', {}).data?.boards
  const jobs = useRoute('listJobs', {}).data?.jobs
  const workflows = useRoute('listWorkflows', {}).data?.workflows
  const roles = useRoute('listRoles', {}).data?.roles
  return useMemo(
    () => [
      ...(chats ?? []).map(({ id, title }) => entry(`/chat/${id}`, title, 'Chat')),
      ...(boards ?? []).map(({ id, goal }) => entry(`/board/${id}`, goal, 'Board')),
      ...(jobs ?? []).map(({ id, title }) => entry(`/jobs/${id}`, `${id}: ${title}`, 'Job')),
      ...(workflows ?? []).map(({ id, name }) => entry(`/workflows/show/${id}`, name, 'Workflow')),
      ...(roles ?? []).map(({ id, name }) => entry(`/roles/${id}`, name, 'Role')),
    ],
    [chats, boards, jobs, workflows, roles],
  )
}

function entry(path: string, label: string, hint = ''): Entry {
  return { path, label, hint }
}
