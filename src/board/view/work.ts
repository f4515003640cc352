import { closeSync, existsSync, fstatSync } from 'node:fs'
import * as z from 'zod'
import { FilePatch, oneFile, patchText } from '../../domain/changed-file.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { TaskId, type Task, type TaskEntry, type TaskGit } from '../../domain/board/task.ts'
import { openInside, readWhole } from '../../sandbox/files/open-inside.ts'
import type { CommandSettings } from '../../sandbox/sandbox.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { uncommittedFiles } from '../../worktrees/commit.ts'
import { changedFiles, filePatches } from '../../worktrees/diff.ts'
import { findCommit, gitText, type Repository } from '../../worktrees/repository.ts'
import type { BoardContext, BoardRepository } from '../context.ts'
import { needTask } from '../find.ts'
import { placeOf } from '../worktree/prepare.ts'

const FILES_LISTED = 2_000
const FILE_BYTES = 500_000
const NAMES_BYTES = 20_000_000

/** From its base to what is under review, or to where its branch stands. */
export const getTaskDiff = defineOperation({
  name: 'board.get_task_diff',
  summary: 'Show what the work on a task changed',
  by: ['person'],
  effect: 'read',
  command: 'board diff <task>',
  input: z.strictObject({ task: TaskId, file: oneFile }),
  output: z.object({ base: z.string().nullable(), head: z.string().nullable(), files: z.array(FilePatch) }),
  example: { task: 'task-1' },
  tell: ({ files }) => patchText(files) || 'Nothing was changed.',
  run: async (context: BoardRepository, { task, file }) => diffOf(context.repository, await taskOf(context, task), file),
})

/** The files on this machine, those that were touched first. */
export const listTaskFiles = defineOperation({
  name: 'board.list_task_files',
  summary: 'List the files in the worktree of a task',
  by: ['person'],
  effect: 'read',
  command: 'board files <task>',
  input: z.strictObject({ task: TaskId }),
  output: z.object({
    worktree: z.string().nullable(),
    files: z.array(z.object({ path: z.string(), state: z.enum(['same', 'changed', 'uncommitted']) })),
    /** How many there are; not all are listed when there are very many. */
    count: z.int(),
  }),
  example: { task: 'task-1' },
  tell: ({ files }) => files.map(({ path, state }) => `${state.padEnd(11)}  ${path}`).join('\n') || 'There is no worktree here.',
  run: async (context: BoardRepository, { task }) => listWorktree(context.repository, await taskOf(context, task)),
})

/** Secrets and places outside are refused as they are to every role. */
export const readTaskFile = defineOperation({
  name: 'board.read_task_file',
  summary: 'Read one file in the worktree of a task',
  by: ['person'],
  effect: 'read',
  command: 'board file <task> <path>',
  input: z.strictObject({ task: TaskId, path: z.string().min(1).max(4_000).describe('its path in the worktree') }),
  output: z.object({ path: z.string(), text: z.string() }),
  example: { task: 'task-1', path: 'src/users.ts' },
  tell: ({ text }) => text,
  run: async (context: BoardRepository & Pick<BoardContext, 'commands'>, { task, path }) =>
    readWorktreeFile(context.repository, await taskOf(context, task), path, context.commands),
})

async function taskOf({ driver, board_id }: BoardRepository, id: string): Promise<Task> {
  return (await needTask(driver, board_id, id)).item
}

async function diffOf(repository: Repository, task: Task, file: string | undefined) {
  const base = task.base_commit
  const head = task.review_commit ?? (await branchHead(repository, placeOf(repository.root, task).branch))
  if (base === null || head === null || (await findCommit(repository.root, head)) === null) return { base, head: null, files: [] }
  return { base, head, files: await filePatches(repository.root, base, head, file) }
}

async function listWorktree(repository: Repository, task: TaskEntry & TaskGit) {
  const { path } = placeOf(repository.root, task)
  if (!existsSync(path)) return { worktree: null, files: [], count: 0 }
  const listed = await gitText(path, ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { outputBytes: NAMES_BYTES })
  const names = [...new Set(listed.split('\0').filter(Boolean))].filter((name) => existsSync(`${path}/${name}`))
  const open = new Set(await uncommittedFiles(path))
  const changed = new Set(task.base_commit === null ? [] : (await changedFiles(path, task.base_commit, 'HEAD')).map((file) => file.path))
  const stateOf = (name: string) => (open.has(name) ? 'uncommitted' : changed.has(name) ? 'changed' : 'same')
  const files = names.map((name) => ({ path: name, state: stateOf(name) }) as const)
  const touchedFirst = [...files.filter(({ state }) => state !== 'same'), ...files.filter(({ state }) => state === 'same')]
  return { worktree: path, files: touchedFirst.slice(0, FILES_LISTED), count: files.length }
}

async function readWorktreeFile(repository: Repository, task: TaskEntry, name: string, commands: CommandSettings) {
  const { path: root } = placeOf(repository.root, task)
  if (!existsSync(root)) throw new Problem('not_found', `there is no worktree of ${task.id} on this machine`)
  const { fd } = await openInside(root, name, 'read', commands)
  try {
    const { size } = fstatSync(fd)
    if (size > FILE_BYTES) throw new Problem('too_large', `${name} has ${size} bytes; at most ${FILE_BYTES} are shown`)
    const bytes = await readWhole(fd)
    if (bytes.includes(0)) throw new Problem('bad_input', `${name} is a binary file of ${size} bytes; only text is shown`)
    return { path: name, text: bytes.toString('utf8') }
  } finally {
    closeSync(fd)
  }
}
