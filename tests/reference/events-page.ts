import { RunEvent } from '../../src/domain/event.ts'
import * as collections from '../../src/store/tables.ts'
import { code, page, table } from './markdown.ts'
import { branchesOf, fieldsOf, shapeOf } from './schema-text.ts'

/** What a run, the server and the log tell. */
export function eventsPage(): string {
  const runEvents = branchesOf(shapeOf(RunEvent)).map((branch) => {
    const type = String(branch.properties?.['type']?.const)
    const fields = fieldsOf(branch).filter(({ name }) => !['type', 'thread_id', 'run_id'].includes(name))
    return [code(type), fields.map((field) => code(`${field.name}: ${field.type}`)).join(', ')]
  })
  const topics = Object.values(collections).map(({ name }) => code(name))
  return page('Events', '`src/domain/event.ts` and the collections of `src/store`', [
    '## Of a run',
    'One JSON object a line from `troupe run --output-format stream-json`, in the order of what happens. Each also has `type`, `thread_id` and `run_id`.',
    table(['Type', 'Fields'], runEvents),
    '## Of the server',
    '`GET /api/events` sends server-sent events: all after a line of the log (`?after=N`, or `Last-Event-ID`), else from now on.',
    table(
      ['Event', 'Data'],
      [
        ['`ready`', '`{seq}`: the number of the last line before the stream begins'],
        ['`log`', '`{seq, at, topic, subject, data}`: one line of the log; its number is also the id of the event'],
        [
          '`live`',
          '`{thread_id, run_id, call_id, from, text}`: words of a reply, or with a `call_id` what a call prints, that is not stored yet; `from` is where they stand in it',
        ],
      ],
    ),
    '## Of the log',
    'Every write of a record appends a line in the same transaction, numbered without gaps. `topic` is the collection, `subject` the id of the record; under `board` stand the lines of the activity log of a board.',
    `Topics: ${topics.join(', ')}.`,
  ])
}
