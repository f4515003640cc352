import { Problem } from '../../../domain/problem.ts'
import { needTask } from '../../find.ts'
import { readSpec } from '../../goal/spec.ts'
import { integrationSeen } from '../../goal/take-in.ts'
import { assignedTask, type BoardMove, type MoveContext } from '../move.ts'

/** When the spec changed under a review, the reviewer is shown the new text and judges again. */
export function showingNewSpec(move: BoardMove): BoardMove {
  return {
    ...move,
    run: async (input, context) => {
      try {
        return await move.run(input, context)
      } catch (error) {
        throw await withNewSpec(context, error)
      }
    },
  }
}

async function withNewSpec(context: MoveContext, error: unknown): Promise<unknown> {
  if (!(error instanceof Problem) || typeof error.details['spec_hash'] !== 'string') return error
  const { item } = await needTask(context.board.driver, context.board.board_id, assignedTask(context))
  const spec = await readSpec(context.board.repository, await integrationSeen(context.board), item.spec_ref)
  if (spec === null) return error
  context.spec_hash = spec.spec_hash
  return new Problem(
    'conflict',
    `${item.spec_ref} changed while you reviewed. It reads now:\n${spec.text}\nJudge the work against this text.`,
  )
}
