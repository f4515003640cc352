import { closeSync, existsSync, fstatSync } from 'node:fs'
import type { ChangedFile } from '../../domain/changed-file.ts'
import { Problem } from '../../domain/problem.ts'
import type { Task } from '../../domain/board/task.ts'
import { openInside, readWhole } from '../../sandbox/files/open-inside.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { uncommittedFiles } from '../../worktrees/commit.ts'
import { changedFiles, patchBetween } from '../../worktrees/diff.ts'
import { findCommit, gitText, type Repository } from '../../worktrees/repository.ts'
import { placeOf } from '../worktree/prepare.ts'

const FILES_LISTED = 2_000
const FILE_BYTES = 500_000
const NAMES_BYTES = 20_000_000
/** A patch cut in the middle would show lines at the wrong numbers. */
const PATCH_CHARS = 1_500_000

/** What the work on a task changed: from its base to what is under review, or to where its branch stands. */
export async function viewDiff(repository: Repository, task: Task) {
  const base = task.base_commit
  const head = task.review_commit ?? (await branchHead(repository, placeOf(repository.root, task).branch))
  if (base === null || head === null || (await findCommit(repository.root, head)) === null) return { base, head: null, files: [] }
  const files = await changedFiles(repository.root, base, head)
  const whole = files.length === 0 ? '' : await patchBetween(repository.root, base, head)
  const patches = whole.length > PATCH_CHARS ? null : patchesByFile(whole)
  return { base, head, files: files.map((file) => ({ ...file, patch: patches === null ? null : patchOf(file, patches) })) }
}

/** The files of a task's worktree on this machine, those that were touched first. */
export async function listWorktree(repository: Repository, task: Task) {
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

/** The text of one file of a task's worktree; secrets and places outside are refused as they are to every role. */
export async function readWorktreeFile(repository: Repository, task: Task, name: string, allowedSecrets: readonly string[]) {
  const { path: root } = placeOf(repository.root, task)
  if (!existsSync(root)) throw new Problem('not_found', `there is no worktree of ${task.id} on this machine`)
  const { fd } = await openInside(root, name, 'read', { allowedSecrets })
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

/** One patch for each file, in the order of the whole. */
function patchesByFile(whole: string): string[] {
  return whole.split(/^(?=diff --git )/m).filter(Boolean)
}

/** A file that was renamed stands in one patch under both names. */
function patchOf({ path, status }: ChangedFile, patches: readonly string[]): string {
  const lines = status === 'deleted' ? [`--- a/${path}`, `rename from ${path}`] : [`+++ b/${path}`, `rename to ${path}`]
  return patches.find((patch) => lines.some((line) => `\n${patch}\n`.includes(`\n${line}\n`))) ?? ''
}
