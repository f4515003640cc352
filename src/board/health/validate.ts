import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod'
import { defineOperation } from '../../domain/operation.ts'
import { boardViolations } from '../../domain/board/validate.ts'
import { Violation } from '../../domain/board/rule.ts'
import { isInside } from '../../sandbox/files/inside.ts'
import type { Driver } from '../../store/driver.ts'
import { boards } from '../../store/tables.ts'
import type { ProjectContext } from '../context.ts'
import { needBoard } from '../find.ts'
import { boardState } from '../view/state.ts'
import { openProject } from '../worktree/project.ts'
import { validateGit, type GitFindings } from './validate-git.ts'

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
  const { root, now, skip_spec_file_check = false, git = null, shared = false } = options
  const there = root === null ? null : (path: string) => isInside(root, resolve(root, path)) && existsSync(join(root, path))
  const specExists = git === null ? there : git.specExists
  const found = boardViolations(document, {
    now,
    specExists: skip_spec_file_check ? null : specExists,
    folderExists: shared ? null : there,
  })
  return [...found, ...(git?.violations ?? [])]
}
