import { useDeferredValue, useMemo, useEffect, useRef, useState, type KeyboardEvent } from 'react'
import { useLocation } from 'wouter'
import { useRead, useReads, useRefinedRead } from '../api.ts'
import { chooseTheme, type Theme } from '../theme.ts'
import { useRecents } from './use-recents.ts'
import { actionsHere, runActionHere } from '../ui/actions-here.ts'
import { places } from './places.ts'
import { Dialog as Base } from '@base-ui/react/dialog'
import { hasWords } from '../../src/domain/text/typed.ts'

/** The palette with everything of this page in it: what can be begun, places, the theme, and what there is. */
export function Palette({ onClose, onShowKeys }: { onClose: () => void; onShowKeys: () => void }) {
  const [here, go] = useLocation()
  const recents = useRecents()
  const found = useFound()
  const [words, setWords] = useState('')
  const said = useSaid(words)
  const commands = useMemo(() => {
    const opening = ({ path, label, hint }: Entry) => ({ key: path, label, hint, run: () => go(path) })
    const keys = { key: 'keys', label: 'Keyboard shortcuts', hint: '?', run: onShowKeys }
    const actions = actionsHere().map(({ label }) => ({ key: `here-${label}`, label, hint: 'Here', run: () => runActionHere(label) }))
    const all = [...actions, ...always.map(opening), ...themes, keys, ...found.map(opening)]
    if (words !== '') return all
    const last = recents.filter((path) => path !== here).flatMap((path) => found.find((one) => one.path === path) ?? [])
    return [...last.map(opening), ...all.filter(({ key }) => !last.some(({ path }) => path === key))]
  }, [found, go, here, onShowKeys, recents, words])
  const more = said.map(({ id, path, label, hint, about }) => ({ key: id, label, hint, about, run: () => go(path) }))
  return <CommandPalette onClose={onClose} commands={commands} more={more} words={words} setWords={setWords} />
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

const themes: readonly PaletteCommand[] = [theme('light', 'Light theme'), theme('dark', 'Dark theme'), theme('system', 'System theme')]

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

/** A letter alone is in nearly everything. */
const FROM_CHARS = 2

/** What was said anywhere with these words in it; the last answer stays while the next is on its way. */
function useSaid(words: string): readonly (Entry & { id: string; about: string })[] {
  const asked = useDeferredValue(words).trim()
  const found = useRefinedRead('system.search', { words: asked.length < FROM_CHARS ? '' : asked, limit: 20 })
  if (asked.length < FROM_CHARS) return []
  return (found.data?.hits ?? [])
    .filter(({ kind }) => kind === 'message' || kind === 'workflow run')
    .map(({ id, kind, title, excerpt, link }) => ({
      ...entry(link, title, kind === 'message' ? 'Said' : 'Workflow run'),
      id,
      about: excerpt,
    }))
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

interface PaletteCommand {
  key: string
  label: string
  hint: string
  /** Where the words are. */
  about?: string
  run: () => void
}

interface CommandPaletteProps {
  onClose: () => void
  /** What is found by its name. */
  commands: readonly PaletteCommand[]
  /** What has the words in it. */
  more: readonly PaletteCommand[]
  words: string
  setWords: (words: string) => void
}

/** Everything the page can do or open, a few letters away. Opens with Ctrl K or Cmd K. */
function CommandPalette({ onClose, commands, more, words, setWords }: CommandPaletteProps) {
  const [chosen, setChosen] = useState(0)
  const fitting = useMemo(() => commands.filter(({ label, hint }) => hasWords(`${label} ${hint}`, words)).slice(0, 50), [commands, words])
  const shown = [...fitting, ...more]
  useEffect(() => setChosen(0), [words])

  function run(command: PaletteCommand | undefined) {
    if (!command) return
    onClose()
    command.run()
  }
  function onKey(event: KeyboardEvent) {
    if (event.key === 'ArrowDown') setChosen((now) => Math.min(now + 1, shown.length - 1))
    else if (event.key === 'ArrowUp') setChosen((now) => Math.max(now - 1, 0))
    else if (event.key === 'Enter') run(shown[chosen])
    else return
    event.preventDefault()
  }
  return (
    <Base.Root open onOpenChange={(now) => !now && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/40" />
        <Base.Popup className="fixed top-[12dvh] left-1/2 z-50 w-[min(38rem,calc(100vw-2rem))] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-surface shadow-2xl">
          <Base.Title className="sr-only">Search and commands</Base.Title>
          <SearchBox words={words} onWords={setWords} onKey={onKey} active={shown[chosen]?.key} />
          <ul id="palette-list" role="listbox" aria-label="Results" className="max-h-[50dvh] overflow-y-auto p-1">
            {shown.map((command, index) => (
              <Result
                key={command.key}
                command={command}
                chosen={index === chosen}
                onChoose={() => setChosen(index)}
                onRun={() => run(command)}
              />
            ))}
            {shown.length === 0 && <li className="px-3 py-4 text-soft">Nothing matches “{words}”.</li>}
          </ul>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

interface SearchBoxProps {
  words: string
  onWords: (words: string) => void
  onKey: (event: KeyboardEvent) => void
  active: string | undefined
}

function SearchBox({ words, onWords, onKey, active }: SearchBoxProps) {
  return (
    <input
      value={words}
      onChange={(event) => onWords(event.target.value)}
      onKeyDown={onKey}
      placeholder="Go to, open, or do…"
      role="combobox"
      aria-expanded
      aria-controls="palette-list"
      aria-activedescendant={active === undefined ? undefined : `palette-${active}`}
      aria-label="Search and commands"
      className="w-full border-b border-line bg-transparent px-4 py-3 text-base outline-none"
    />
  )
}

interface ResultProps {
  command: PaletteCommand
  chosen: boolean
  onChoose: () => void
  onRun: () => void
}

/** A line that comes to lie under a mouse at rest is not chosen by it: the browser tells of a move, but of none by any distance. */
function Result({ command, chosen, onChoose, onRun }: ResultProps) {
  const line = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (chosen) line.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <li
      ref={line}
      id={`palette-${command.key}`}
      role="option"
      aria-selected={chosen}
      onClick={onRun}
      onMouseMove={({ movementX, movementY }) => (movementX !== 0 || movementY !== 0) && onChoose()}
      className={`flex cursor-pointer items-baseline justify-between gap-4 rounded-md px-3 py-2 ${chosen ? 'bg-accent-wash' : ''}`}
    >
      <span className="min-w-0">
        <span className="block truncate">{command.label}</span>
        {command.about !== undefined && <span className="line-clamp-2 text-xs text-soft">{command.about}</span>}
      </span>
      <span className="shrink-0 text-xs text-soft">{command.hint}</span>
    </li>
  )
}
