import { BoardSetting, GivenConfig, type Board } from '../../domain/board/board.ts'
import { fitting } from '../../domain/text/fitting.ts'
import { Problem } from '../../domain/problem.ts'
import { boards } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import type { BoardRef } from '../desk.ts'

/** Changes settings of a board and says in its log which, and what they were. Whoever reads them next goes by them. */
export async function configureBoard(board: BoardRef, by: string, changes: Readonly<Record<string, unknown>>): Promise<Board> {
  const odd = Object.keys(changes).find((name) => !BoardSetting.safeParse(name).success)
  if (odd !== undefined) throw new Problem('bad_input', `${odd} cannot be changed on a board; what can: ${BoardSetting.options.join(', ')}`)
  return board.driver.transaction(async (tx) => {
    const was = await boards.get(tx, board.board_id)
    const { goal, config: before } = was.item
    if (goal.status !== 'IN_PROGRESS') throw new Problem('move_refused', `this goal is ${goal.status}; its settings stay as they were`)
    const config = fitting(GivenConfig, { ...before, ...changes }, 'the settings of a board do not fit')
    const stored = await boards.replace(tx, was, { ...was.item, config })
    await recordActivity(tx, board.board_id, { agent: by, action: 'configured', detail: told(before, config, Object.keys(changes)) })
    return stored.item
  })
}

function told(before: object, after: object, names: readonly string[]): string {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return names.map((name) => `${name}: ${is.get(name) ?? 'none'} (was ${was.get(name) ?? 'none'})`).join(', ')
}
