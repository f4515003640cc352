import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import type { Board } from '../../domain/board/board.ts'
import { Violation, violation } from '../../domain/board/rule.ts'
import { taskFlow, type TaskState } from '../../domain/board/task-flow.ts'
import type { Task } from '../../domain/board/task.ts'
import { boardViolations } from '../../domain/board/validate.ts'
import { defineOperation } from '../../domain/operation.ts'
import { isInside } from '../../sandbox/files/inside.ts'
import { git } from '../../sandbox/git/git.ts'
import type { Driver } from '../../store/driver.ts'
import { boards, tasks } from '../../store/tables.ts'
import { branchHead } from '../../worktrees/branch.ts'
import { fetchBranch } from '../../worktrees/remote.ts'
import { gitText, LIST_BYTES } from '../../worktrees/repository.ts'
import { isWorktree } from '../../worktrees/worktree.ts'
import type { ProjectContext, BoardRepository } from '../context.ts'
import { needBoard, boardOf, openProject } from '../find.ts'
import { noIntegration } from '../goal/shared-branches.ts'
import { boardState } from '../view/state.ts'
import { placeOf } from '../worktree/prepare.ts'

/** A document is judged by the files of its folder, a board of the store also by its repository. */
export const validateBoard = defineOperation({
  name: 'board.validate',
  summary: 'Check the board of this project, or an exported document, and list every rule it breaks',
  by: ['person'],
  effect: 'read',
  command: 'board validate [state]',
  input: z.strictObject({
    state: z.looseObject({}).optional().describe('the document; the board itself when left out'),
    board: z.string().optional().describe('another board than the one of this project'),
    skip_spec_file_check: z.boolean().default(false).describe('spec files need not exist'),
  }),
  output: z.object({
    valid: z.boolean(),
    violations: z.array(Violation),
    /** Work that was put aside, under refs of ours. */
    kept_refs: z.array(z.string()),
    /** Where spec files and worktrees were looked for. */
    root: z.string(),
  }),
  example: {},
  tell: ({ valid }) => (valid ? 'VALID' : 'INVALID'),
  run: async ({ driver, folder }: ProjectContext, { state, board, skip_spec_file_check }) => {
    const found = state === undefined ? await ownBoard(driver, folder, board) : null
    const root = found?.root ?? (await openProject(folder).catch(() => null))?.root ?? folder // a document is judged anywhere
    const options = { root, now: await driver.now(), skip_spec_file_check, git: found?.git ?? null, shared: found?.shared === true }
    const violations = validateState(found?.state ?? state, options)
    const valid = violations.every(({ severity }) => severity !== 'error')
    return { valid, violations, kept_refs: found?.git.kept_refs ?? [], root }
  },
})

/** A board of the store, and what git says about it. */
async function ownBoard(driver: Driver, folder: string, named: string | undefined) {
  const repository = await openProject(folder)
  const { id, config } = named === undefined ? await needBoard(driver, repository.root) : (await boards.get(driver, named)).item
  const context = { driver, board_id: id, repository }
  return { root: repository.root, state: await boardState(context), git: await validateGit(context), shared: config.remote !== null }
}

interface ValidateOptions {
  /** The top of the project the document belongs to; null when files are not to be looked at. */
  root: string | null
  now: Date
  skip_spec_file_check?: boolean
  /** What git says about the board of this project; a document is held against the files of its folder. */
  git?: GitFindings | null
  /** Worktrees lie on several machines, so that one that is not here may be elsewhere. */
  shared?: boolean
}

/** Every rule a board breaks. */
export function validateState(document: unknown, options: ValidateOptions): Violation[] {
  const { root, now, skip_spec_file_check = false, git: seen = null, shared = false } = options
  const there = root === null ? null : (path: string) => isInside(root, resolve(root, path)) && existsSync(join(root, path))
  const specExists = seen === null ? there : seen.specExists
  const found = boardViolations(document, {
    now,
    specExists: skip_spec_file_check ? null : specExists,
    folderExists: shared ? null : there,
  })
  return [...found, ...(seen?.violations ?? [])]
}

/** What git says about a board. */
export interface GitFindings {
  violations: Violation[]
  /** Work that was put aside, under refs of ours. */
  kept_refs: string[]
  /** Whether the integration branch holds a file. */
  specExists: ((path: string) => boolean) | null
}

/** Holds the record of a board against the branches and worktrees it speaks of. Nothing is moved. */
export async function validateGit(context: BoardRepository): Promise<GitFindings> {
  const { driver, board_id, repository } = context
  const board = await boardOf(context)
  const all = await tasks.items(driver, { where: { board_id }, order: ['number'] })
  const kept = await gitText(repository.root, ['for-each-ref', '--format=%(refname)', `refs/troupe/${board_id}/`])
  const kept_refs = kept === '' ? [] : kept.split('\n')
  const { integration_branch, remote } = board.config
  const head = await headOf(context, remote, integration_branch)
  if (head === null) return { violations: [violation(61, 'board', noIntegration(board.config).message)], kept_refs, specExists: null }
  const files = new Set(
    (await gitText(repository.root, ['ls-tree', '-r', '-z', '--name-only', head], { outputBytes: LIST_BYTES })).split('\0'),
  )
  const stray = await Promise.all(all.map((task) => strayWork(context, board, task)))
  return {
    violations: [...(await lostMerges(context, board, all, head)), ...stray.flat()],
    kept_refs,
    specExists: (path) => files.has(path),
  }
}

/** The commit of a branch: at the remote, where machines share one. */
async function headOf({ repository }: BoardRepository, remote: string | null, branch: string): Promise<string | null> {
  return remote === null ? branchHead(repository, branch) : fetchBranch(repository, remote, branch)
}

/** Merged work that is not on the integration branch any more, as after somebody reset it. */
async function lostMerges({ repository }: BoardRepository, { config }: Board, all: readonly Task[], head: string): Promise<Violation[]> {
  const merged = all.filter(({ status, merge_commit }) => status === 'MERGED' && merge_commit !== null)
  if (merged.length === 0) return []
  const commits = merged.map(({ merge_commit }) => merge_commit ?? '')
  const options = { outputBytes: LIST_BYTES }
  const known = await git(repository.root, ['cat-file', '--batch-check'], { stdin: `${commits.join('\n')}\n`, ...options })
  const missing = new Set(known.stdout.split('\n').flatMap((line) => (line.endsWith(' missing') ? line.split(' ')[0] : [])))
  const there = commits.filter((commit) => !missing.has(commit))
  const outside = await gitText(repository.root, ['rev-list', '--stdin'], { stdin: [...there, `^${head}`, ''].join('\n'), ...options })
  const lost = new Set([...missing, ...outside.split('\n')])
  return merged.flatMap(({ id, merge_commit, history }) => {
    const imported = history.some(({ event }) => event === 'imported') // merged in another repository, perhaps
    if (imported || !lost.has(merge_commit ?? '')) return []
    return [violation(61, id, `it was merged as ${merge_commit}, which ${config.integration_branch} does not contain`)]
  })
}

/** States in which a commit is bound to the task. */
const submitted: readonly TaskState[] = [...taskFlow.moves.approve.from, ...taskFlow.moves.merge.from]

/** A branch or a worktree that is not where the record says. What another machine holds cannot be looked at here. */
async function strayWork(board: BoardRepository, { config }: Board, task: Task): Promise<Violation[]> {
  const { id, status, review_commit } = task
  const place = placeOf(board.repository.root, task)
  if (status === 'CLAIMED' && !task.preparing && config.remote === null) {
    if (await isWorktree(board.repository, place)) return []
    return [violation(62, id, `its worktree ${place.path} is not on the branch ${place.branch}`)]
  }
  if (!submitted.includes(status)) return []
  const stands = await headOf(board, config.remote, place.branch)
  if (stands === review_commit) return []
  const where = stands === null ? 'is gone' : `is at ${stands}`
  return [violation(62, id, `its branch ${place.branch} ${where}, but ${review_commit} was submitted`)]
}
