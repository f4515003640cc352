import { projectOfWorktree } from '../installed.ts'
import { realOf } from './place.ts'

/** The folder that stands for a project: of a worktree the checkout it was made from. */
export function projectFolder(workspace: string): string {
  const root = realOf(workspace) ?? workspace
  return projectOfWorktree(root)?.folder ?? root
}
