import { networkAnswers, type AskedNetwork } from '../domain/network/leave.ts'
import type { QuestionContent } from '../domain/question.ts'
import { showTextDirection } from '../domain/text/hidden-character.ts'
import { bounded } from './bounded.ts'

const HOSTS_SHOWN = 10

/** The question about hosts that a command or a page was refused. It has no default: silence is not an answer. */
export function networkQuestion(roleName: string, command: string, { hosts }: AskedNetwork): QuestionContent {
  const names = hosts.slice(0, HOSTS_SHOWN).map(({ host, port }) => `${host}:${port}`)
  const more = hosts.length > names.length ? ` and ${hosts.length - names.length} more` : ''
  return {
    type: 'question',
    question: showTextDirection(`Let ${roleName} reach ${names.join(', ')}${more}?`),
    context: bounded(showTextDirection(`This was refused:\n\n${command}`), 20_000),
    severity: 'major',
    options: [
      { label: 'Once', value: networkAnswers.once, description: 'For the next call of this run.' },
      { label: 'For this run', value: networkAnswers.run, description: 'Until this run ends.' },
      { label: 'For this project', value: networkAnswers.project, description: 'From now on, in every run here.' },
      { label: 'Never', value: networkAnswers.never, description: 'Refuse it here, and do not ask again.' },
    ],
    default: null,
  }
}
