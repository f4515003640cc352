import { lastEvent } from '../../../domain/board/event.ts'
import * as z from 'zod'
import { dirname, join, normalize } from 'node:path'
import type { BoardConfig } from '../../../domain/board/board.ts'
import { maskedRecord } from '../../../domain/text/mask.ts'
import { Problem } from '../../../domain/problem.ts'
import { type TaskEntry, TaskPlan } from '../../../domain/board/task.ts'
import { holdsTest, isCode, isTest } from './tests-in-range.ts'
import { secretRule } from '../../../sandbox/files/secret.ts'
import { addedLines, sizesOf, storedFiles, type StoredFile } from '../../../worktrees/added-lines.ts'
import { changedFiles } from '../../../worktrees/diff.ts'
import { gitText } from '../../../worktrees/repository.ts'

/** Why a submission is stopped: code without a test, or a file that hardly anybody means to hand in. */
export interface SubmissionFault {
  check: 'tests' | 'links' | 'secrets' | 'binaries'
  reason: string
  files: string[]
}

/** Files larger than this are not searched, and binary ones not taken without a reason. */
const LARGE_BYTES = 5_000_000
const NAMED = 10

/** What a coder has to put right in its range, or to give a reason for. */
export async function submissionFaults(root: string, config: BoardConfig, task: TaskPlan, base: string, commit: string) {
  const stored = await storedFiles(root, base, commit)
  const sizes = await sizesOf(
    root,
    stored.flatMap(({ mode, object }) => (mode.startsWith('100') ? [object] : [])),
  )
  const large = stored.filter(({ object }) => (sizes.get(object) ?? 0) > LARGE_BYTES).map(({ path }) => path)
  const added = await addedLines(root, base, commit, large)
  const faults: SubmissionFault[] = []
  if (task.kind === 'code' && config.require_tests && lacksTest(config, stored, added))
    faults.push({ check: 'tests', reason: 'the range changes code and has no test; code tasks include their tests', files: [] })
  if (!config.check_submissions) return faults
  const add = (check: SubmissionFault['check'], reason: string, files: string[]) =>
    files.length > 0 && faults.push({ check, reason, files })
  add('links', 'these links lead outside the project', await linksOut(root, stored))
  add('secrets', 'these files hold or are named like keys and passwords', secretsIn(stored, added))
  add('binaries', `these binary files are larger than ${LARGE_BYTES / 1_000_000} MB`, await binaries(root, base, commit, large))
  return faults
}

/** Refuses a submission that has faults, unless its coder gave a reason to hand it in all the same. */
export function refuseSubmission({ id }: Pick<TaskEntry, 'id'>, faults: readonly SubmissionFault[], override: string | null): void {
  if (faults.length === 0 || override !== null) return
  const said = faults.map(({ reason, files }) => (files.length === 0 ? reason : `${reason}: ${files.slice(0, NAMED).join(', ')}`))
  throw new Problem(
    'conflict',
    `${id} is not handed in: ${said.join('; ')}. Put that right, or submit with an override that gives the reason; the reviewer reads it`,
    { details: { task: id, faults } },
  )
}

const Submission = z.object({
  overridden: z.array(z.string()).default([]),
  override: z.string().nullable().default(null),
  outside_scope: z.array(z.string()).default([]),
})

/** What was stopped at the last submission of a task and handed in with a reason, and what of it is outside the scope. */
export function submissionOf({ history }: Pick<TaskEntry, 'history'>): z.infer<typeof Submission> {
  return Submission.parse(lastEvent(history, 'submitted_for_review') ?? {})
}

/** The same in words for a reviewer. */
export function submissionText(task: Pick<TaskEntry, 'history'>): string[] {
  const { overridden, override, outside_scope } = submissionOf(task)
  return [
    ...(overridden.length === 0
      ? []
      : [`STOPPED AT SUBMISSION (${overridden.join(', ')}) and handed in all the same. Its coder's reason: ${override}`]),
    ...(outside_scope.length === 0 ? [] : [`OUTSIDE THE PATHS THAT THE SCOPE NAMES: ${outside_scope.join(', ')}`]),
  ]
}

function lacksTest({ test_paths }: BoardConfig, stored: readonly StoredFile[], added: ReadonlyMap<string, string>): boolean {
  if (!stored.some(({ path }) => isCode(path))) return false
  return !stored.some(({ path }) => isTest(path, test_paths) || holdsTest(path, added.get(path) ?? ''))
}

async function linksOut(root: string, stored: readonly StoredFile[]): Promise<string[]> {
  const links = stored.filter(({ mode }) => mode === '120000')
  const targets = await Promise.all(links.map(({ object }) => gitText(root, ['cat-file', 'blob', object])))
  return links.flatMap(({ path }, at) => (leadsOut(path, targets[at] ?? '') ? [`${path} → ${targets[at]}`] : []))
}

/** Out of the project, or to what git and Troupe keep in it. */
function leadsOut(path: string, target: string): boolean {
  const place = normalize(join(dirname(path), target))
  return target.startsWith('/') || /^(\.\.|\.git|\.troupe)(\/|$)/.test(place)
}

function secretsIn(stored: readonly StoredFile[], added: ReadonlyMap<string, string>): string[] {
  const kept = ['environment_file', 'private_key', 'credentials']
  const byName = stored.map(({ path }) => path).filter((path) => kept.includes(secretRule(path, 'read') ?? ''))
  const byShape = [...added].flatMap(([path, text]) => (maskedRecord(text, []) === text ? [] : [path]))
  return [...new Set([...byName, ...byShape])]
}

async function binaries(root: string, base: string, commit: string, large: readonly string[]): Promise<string[]> {
  if (large.length === 0) return []
  const changed = await changedFiles(root, base, commit)
  return changed.flatMap(({ path, added }) => (added === null && large.includes(path) ? [path] : []))
}
