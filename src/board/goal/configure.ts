import { BoardConfig, BoardSettings, GivenConfig } from '../../domain/board/board.ts'
import { defineOperation } from '../../domain/operation.ts'
import { fitting } from '../../domain/text/schema-error.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import { boards } from '../../store/tables.ts'
import { recordActivity } from '../activity.ts'
import { needPerson, type RecordsContext } from '../context.ts'
import { boardOf } from '../find.ts'
import { refuseOver } from './control.ts'

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
