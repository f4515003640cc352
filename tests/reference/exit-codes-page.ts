import { problems } from '../../src/domain/problem.ts'
import { code, page, table } from './markdown.ts'

/** Every code a command can end with, and every problem behind it. */
export function exitCodesPage(): string {
  const rows = Object.entries(problems).toSorted(([, one], [, other]) => one.exit - other.exit)
  const exits = [...Map.groupBy(rows, ([, { exit }]) => exit)].map(([exit, same]) => [
    String(exit),
    same.map(([, { means }]) => means).join('; '),
  ])
  const general = [
    'A command that did what it was asked ends with 0. Everything else ends with the code of its problem, one sentence on stderr and, with `--json`,',
    '`{error: {code, message, retryable, details}}` on stdout. Over HTTP the same object comes with the status.',
  ].join('\n')
  return page('Exit codes and problems', 'the table of problems in `src/domain/problem.ts`', [
    general,
    table(['Exit', 'Means'], [['0', 'done'], ...exits]),
    '## Problems',
    table(
      ['Code', 'Means', 'Exit', 'HTTP', 'May succeed later'],
      Object.entries(problems).map(([name, { means, exit, status, retryable }]) => [
        code(name),
        means,
        String(exit),
        String(status),
        retryable ? 'yes' : 'no',
      ]),
    ),
  ])
}
