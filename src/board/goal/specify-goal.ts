import * as z from 'zod'
import { Board } from '../../domain/board/board.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { NonBlank } from '../../domain/text/fields.ts'
import { boards } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { needPerson, type RepositoryContext } from '../context.ts'
import { refuseOver } from './control.ts'
import { needSpec } from './spec.ts'
import { integrationNow } from './take-in.ts'

/** A goal that has another spec keeps it: tasks were planned by that. */
export const specifyGoal = defineOperation({
  name: 'board.specify_goal',
  summary: 'Give an open goal the spec it was begun without',
  by: ['person'],
  effect: 'change',
  command: 'board specify <spec_ref>',
  input: z.strictObject({ spec_ref: NonBlank.max(1_000).describe('the file, from the top of the repository') }),
  output: Board.shape.goal,
  example: { spec_ref: 'specs/paging.md' },
  tell: ({ spec_ref }) => `The goal is planned by ${spec_ref}.`,
  run: async (context: RepositoryContext, { spec_ref }) => {
    const by = needPerson(context.actor)
    await needSpec(context.repository, [await integrationNow(context)], spec_ref)
    return context.driver.transaction(async (tx) => {
      const was = await boards.get(tx, context.board_id)
      const { goal } = was.item
      if (goal.spec_ref === spec_ref) return goal
      refuseOver(was.item)
      if (goal.spec_ref !== null)
        throw new Problem('conflict', `this goal is planned by ${goal.spec_ref}, not by ${spec_ref}; go on with it, or end it first`, {
          next: [{ operation: 'board.abort' }],
        })
      await recordActivity(tx, context.board_id, { agent: by, action: 'goal_specified', detail: spec_ref })
      return (await boards.replace(tx, was, { ...was.item, goal: { ...goal, spec_ref } })).item.goal
    })
  },
})
