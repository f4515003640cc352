import { networkAnswers, type AskedNetwork } from '../domain/network/leave.ts'
import type { QuestionContent } from '../domain/question.ts'
import { showTextDirection } from '../domain/text/hidden-character.ts'
import { bounded } from './bounded.ts'

const HOSTS_SHOWN = 10

/** The question about hosts that a command was not let to. It has no default: silence is not an answer. */
export function networkQuestion(roleName: string, command: string, { hosts }: AskedNetwork): QuestionContent {
  const names = hosts.slice(0, HOSTS_SHOWN).map(({ host, port }) => `${host}:${port}`)
  const more = hosts.length > names.length ? ` and ${hosts.length - names.length} more` : ''
  return {
    type: 'question',
    question: showTextDirection(`May commands of ${roleName} reach ${names.join(', ')}${more}?`),
    context: bounded(showTextDirection(`This command tried to and was refused:\n\n${command}`), 20_000),
    severity: 'major',
    options: [
      { label: 'Once', value: networkAnswers.once, description: 'The next command of this run may.' },
      { label: 'For this run', value: networkAnswers.run, description: 'Every command may until this run has ended.' },
      { label: 'For this project', value: networkAnswers.project, description: 'Commands may from now on, in every run here.' },
      { label: 'Never', value: networkAnswers.never, description: 'Commands here may not, and you are not asked again.' },
    ],
    default: null,
  }
}
