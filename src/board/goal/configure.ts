import * as z from 'zod'
import { BoardConfig, BoardSettings, GivenConfig, Board } from '../../domain/board/board.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { NonBlank } from '../../domain/text/fields.ts'
import { fitting } from '../../domain/text/schema-error.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import { boards } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { needPerson, type RecordsContext, type RepositoryContext } from '../context.ts'
import { boardOf } from '../find.ts'
import { refuseOver } from './control.ts'
import { needSpec } from './spec.ts'
import { integrationNow } from './take-in.ts'

/** The log says what changed and what it was. Whoever reads the settings next goes by them. */
export const configureBoard = defineOperation({
  name: 'board.configure',
  summary: 'Change settings of a board, or show them all when none is given',
  by: ['person'],
  effect: 'change',
  command: 'board config',
  input: BoardSettings,
  output: BoardConfig,
  example: { integration_test: 'npm test', require_tests: false },
  tell: (config) =>
    Object.entries(config)
      .map(([name, value]) => `${name}: ${value ?? 'none'}`)
      .join('\n'),
  run: async (context: RecordsContext, given) => {
    const changes = definedOnly(given)
    if (Object.keys(changes).length === 0) return (await boardOf(context)).config
    const by = needPerson(context.actor)
    return context.driver.transaction(async (tx) => {
      const was = await boards.get(tx, context.board_id)
      refuseOver(was.item)
      const before = was.item.config
      const config = fitting(GivenConfig, { ...before, ...changes }, 'the settings of a board do not fit')
      await boards.replace(tx, was, { ...was.item, config })
      await recordActivity(tx, context.board_id, { agent: by, action: 'configured', detail: told(before, config, Object.keys(changes)) })
      return config
    })
  },
})

function told(before: object, after: object, names: readonly string[]): string {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return names.map((name) => `${name}: ${is.get(name) ?? 'none'} (was ${was.get(name) ?? 'none'})`).join(', ')
}

/** A goal that has another spec keeps it: tasks were planned by that. */
export const specifyGoal = defineOperation({
  name: 'board.specify_goal',
  summary: 'Give an open goal the spec it started without',
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
        throw new Problem('conflict', `this goal is planned by ${goal.spec_ref}, not by ${spec_ref}; continue it, or end it first`, {
          next: [{ operation: 'board.abort' }],
        })
      await recordActivity(tx, context.board_id, { agent: by, action: 'goal_specified', detail: spec_ref })
      return (await boards.replace(tx, was, { ...was.item, goal: { ...goal, spec_ref } })).item.goal
    })
  },
})
