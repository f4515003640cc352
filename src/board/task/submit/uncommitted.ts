import { openStates } from '../../../domain/board/task-flow.ts'
import { tasks } from '../../../store/tables.ts'
import { uncommittedFiles } from '../../../worktrees/commit.ts'
import { uncommittedNotice } from '../../../worktrees/uncommitted-notice.ts'
import type { Repository } from '../../../worktrees/repository.ts'
import type { BoardRepository } from '../../context.ts'
import { boardOf } from '../../find.ts'
import { specFile } from '../../goal/spec.ts'

/** What a person has to know whose checkout holds more than was committed: none of it reaches the team. */
export async function uncommittedNotices(board: BoardRepository): Promise<string[]> {
  const files = await uncommittedFiles(board.repository.root)
  const { goal } = await boardOf(board)
  const open = await tasks.items(board.driver, { where: { board_id: board.board_id, status: openStates } })
  const refs = [goal.spec_ref, ...open.map(({ spec_ref }) => spec_ref)]
  const specs = [...new Set(refs.flatMap((ref) => changedSpec(board.repository, files, ref)))]
  return [...uncommittedNotice(files), ...specs.map(specNotice)]
}

/** That a spec was edited and not committed; nothing where it was not. */
export async function uncommittedSpecNotice({ repository }: BoardRepository, specRef: string | null): Promise<string[]> {
  return changedSpec(repository, await uncommittedFiles(repository.root), specRef).map(specNotice)
}

function changedSpec({ root }: Repository, files: readonly string[], specRef: string | null): string[] {
  if (specRef === null) return []
  const file = specFile(root, specRef)
  return files.includes(file) ? [file] : []
}

function specNotice(file: string): string {
  return `${file} has uncommitted changes; tasks are judged by the committed text`
}
