import type { BoardConfig } from '../../domain/board/board.ts'
import { claimEvents, lastEvent, TakenOver, type TaskEvent } from '../../domain/board/event.ts'
import type { Task, TaskEntry, TaskGit } from '../../domain/board/task.ts'
import { branchHead, moveBranch } from '../../worktrees/branch.ts'
import { agentAuthor } from '../../worktrees/commit.ts'
import { mergeCommits } from '../../worktrees/merge.ts'
import { findCommit, gitText, isAncestor, type Repository } from '../../worktrees/repository.ts'
import { createWorktree, putAside, restoreWorktree, type Worktree } from '../../worktrees/worktree.ts'
import type { BoardWorkspace, Identity } from '../context.ts'
import { bringWork, integrationHead } from '../goal/shared-branches.ts'

type Place = Pick<Worktree, 'path' | 'branch'>

/**
 * Lays out the worktree of a task for a coder that goes on where another stopped: the branch keeps the earlier commits, what was
 * merged meanwhile is merged into it where that is possible, and uncommitted files are back in the worktree. Null where nothing is left.
 */
export async function takeOverWork(
  board: BoardWorkspace,
  identity: Identity,
  config: BoardConfig,
  task: Task,
  place: Place,
): Promise<{ base_commit: string; taken: TakenOver } | null> {
  const { repository, board_id } = board
  await bringWork(board, config, task)
  const head = (await branchHead(repository, place.branch)) ?? (await submittedCommit(repository, task))
  const integration = await integrationHead(repository, config)
  if (head === null || integration === null) return null
  const left = await putAside(repository, place, keptName(board_id, task.id))
  const { start, conflicts } = await onIntegration(repository, identity, { head, integration, branch: config.integration_branch, place })
  await layOut(repository, place, left.head, start)
  const base_commit = await gitText(repository.root, ['merge-base', integration, start])
  const commits = Number(await gitText(repository.root, ['rev-list', '--count', '--no-merges', `${base_commit}..${start}`]))
  const uncommitted = await restoreFiles(repository, place, start, left)
  return { base_commit, taken: { from: task.worktree_by, ref: left.kept, commit: left.work ?? head, commits, uncommitted, conflicts } }
}

/** Where nobody worked on it yet, and after it was blocked and answered: its framing may have been wrong. */
export function startsAnew({ history, worktree_by }: Pick<TaskEntry & TaskGit, 'history' | 'worktree_by'>): boolean {
  const worked = history.findLastIndex(({ event, agent }) => agent === worktree_by && claimEvents.includes(event))
  return worktree_by === null || history.findLastIndex(({ event }) => event === 'unblocked') > worked
}

/** A name of its own for each time that work is put aside. */
export function keptName(boardId: string, taskId: string): string {
  return `${boardId}/${taskId}/${Date.now()}`
}

/** Every place in which work on a task was kept, oldest first. */
export function earlierWork({ history }: Pick<TaskEntry, 'history'>) {
  return history.flatMap((event) => {
    const taken = takenOverIn(event)
    return taken === null || taken.ref === null ? [] : [{ from: taken.from, ref: taken.ref, commit: taken.commit, time: event.time }]
  })
}

/** What the last claim of a task took over, if it took something over. */
export function lastTakenOver({ history }: Pick<TaskEntry, 'history'>): TakenOver | null {
  const at = history.findLastIndex(({ event }) => event === 'work_taken_over')
  const event = history[at]
  return event !== undefined && at > history.findLastIndex((one) => claimEvents.includes(one.event)) ? takenOverIn(event) : null
}

function takenOverIn(event: TaskEvent): TakenOver | null {
  return event.event === 'work_taken_over' ? (TakenOver.safeParse(event).data ?? null) : null
}

async function submittedCommit({ root }: Repository, task: TaskEntry): Promise<string | null> {
  const submitted = lastEvent(task.history, 'submitted_for_review')?.commit
  return typeof submitted === 'string' ? findCommit(root, submitted) : null
}

interface Meeting {
  head: string
  integration: string
  branch: string
  place: Place
}

/** The earlier work with what was merged meanwhile; as it was where the two conflict. */
async function onIntegration(repository: Repository, { agent }: Identity, { head, integration, branch, place }: Meeting) {
  const { root } = repository
  if (await isAncestor(root, integration, head)) return { start: head, conflicts: [] }
  if (await isAncestor(root, head, integration)) return { start: integration, conflicts: [] }
  const message = `Merge ${branch} into ${place.branch}`
  const merged = await mergeCommits(repository, { onto: head, commit: integration, message, author: agentAuthor(agent) })
  return merged.outcome === 'merged' ? { start: merged.commit, conflicts: [] } : { start: head, conflicts: merged.files }
}

async function layOut(repository: Repository, { path, branch }: Place, stood: string | null, start: string): Promise<void> {
  if (stood === null) return void (await createWorktree(repository, path, branch, start))
  if (stood !== start) await moveBranch(repository, branch, stood, start)
  await restoreWorktree(repository, path, branch)
}

/** Puts files that were not committed back into the worktree, if they fit what it starts from. What git ignores stays where it is kept. */
async function restoreFiles(
  repository: Repository,
  { path }: Place,
  start: string,
  { work, files }: Awaited<ReturnType<typeof putAside>>,
): Promise<TakenOver['uncommitted']> {
  const names = files.filter((name) => !name.endsWith('/')) // a repository in the worktree
  if (work === null || names.length === 0) return 'none'
  const author = agentAuthor('troupe')
  const merged = await mergeCommits(repository, { onto: start, commit: work, message: 'Uncommitted files', author })
  if (merged.outcome === 'conflict') return 'kept'
  const stdin = names.map((name) => `${name}\0`).join('')
  const listed = ['--pathspec-from-file=-', '--pathspec-file-nul']
  await gitText(path, ['restore', `--source=${merged.commit}`, '--worktree', ...listed], { stdin, env: { GIT_LITERAL_PATHSPECS: '1' } })
  return 'restored'
}
