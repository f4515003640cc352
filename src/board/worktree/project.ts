import { basename, join, resolve } from 'node:path'
import { worktreeOf } from '../../domain/board/task.ts'
import { openRepository, type Repository } from '../../worktrees/repository.ts'

/** The repository whose board is meant in a folder. */
export async function openProject(folder: string): Promise<Repository> {
  return projectOfTask(await openRepository(folder))
}

/** The project that a worktree of a task belongs to; any other repository is its own. */
export async function projectOfTask(repository: Repository): Promise<Repository> {
  const { root, commonDir } = repository
  const top = resolve(root, '../../..')
  if (root !== join(top, worktreeOf(basename(root)).worktree)) return repository
  const around = await openRepository(top).catch(() => null) // a repository that only lies in such a place
  return around?.commonDir === commonDir ? around : repository
}
