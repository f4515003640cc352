import type { ChangedFile } from '../../domain/changed-file.ts'
import type { ClaimedFile, Evidence } from '../../domain/job/history.ts'
import { Problem } from '../../domain/problem.ts'
import { resolveInside } from '../../sandbox/files/path.ts'
import { changedFiles } from '../../worktrees/diff.ts'

/** What an agent claims, beside what the repository says. Nothing claimed is ever opened or run. */
export async function gatherEvidence(workspace: string, base: string, head: string, claimed: readonly string[]): Promise<Evidence> {
  const changed = await changedFiles(workspace, base, head)
  const judged = await Promise.all(claimed.map((path) => judgeClaim(workspace, path, changed)))
  const named = new Set(judged.map(({ path }) => tidy(path)))
  return { claimed: judged, changed, unclaimed: changed.map(({ path }) => path).filter((path) => !named.has(path)) }
}

async function judgeClaim(workspace: string, path: string, changed: readonly ChangedFile[]): Promise<ClaimedFile> {
  if (path.startsWith('/')) return { path, found: 'outside', detail: 'an absolute path; evidence is named relative to the workspace' }
  const change = changed.find((file) => file.path === tidy(path))
  try {
    const { exists, relative } = await resolveInside(workspace, path, { use: 'read' })
    const real = change ?? changed.find((file) => file.path === relative)
    if (real) return { path, found: 'changed', detail: lines(real) }
    return exists
      ? { path, found: 'unchanged', detail: 'not changed in this phase' }
      : { path, found: 'missing', detail: 'there is no such file' }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.details['rule'] === 'outside') return { path, found: 'outside', detail: error.message }
    return change ? { path, found: 'changed', detail: lines(change) } : { path, found: 'refused', detail: error.message }
  }
}

function lines({ status, added, removed }: ChangedFile): string {
  return added === null || removed === null ? `${status}, binary` : `${status}, +${added} -${removed}`
}

function tidy(path: string): string {
  return path.replace(/^(\.\/)+/, '')
}
