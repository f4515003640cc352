import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { branchHead, moveBranch } from '../../src/worktrees/branch.ts'
import { agentAuthor, authorEnvironment } from '../../src/worktrees/commit.ts'
import { gitText, type Repository } from '../../src/worktrees/repository.ts'

/** Commits files to a branch nobody has checked out, as a person would from elsewhere; false when somebody else was faster. */
export async function commitTo(repository: Repository, branch: string, files: Record<string, string>): Promise<boolean> {
  const { root } = repository
  const head = (await branchHead(repository, branch)) ?? ''
  const folder = await mkdtemp(join(tmpdir(), 'troupe-index-'))
  const env = { GIT_INDEX_FILE: join(folder, 'index'), ...authorEnvironment(agentAuthor('ann')) }
  await gitText(root, ['read-tree', head], { env })
  for (const [name, text] of Object.entries(files)) {
    const blob = await gitText(root, ['hash-object', '-w', '--stdin'], { stdin: text })
    await gitText(root, ['update-index', '--add', '--cacheinfo', `100644,${blob},${name}`], { env })
  }
  const tree = await gitText(root, ['write-tree'], { env })
  const commit = await gitText(root, ['commit-tree', '-p', head, '-m', 'By hand', tree], { env })
  await rm(folder, { recursive: true })
  return (await moveBranch(repository, branch, head, commit)) === 'moved'
}
