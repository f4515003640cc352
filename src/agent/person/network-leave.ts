import { AskedNetwork, hostRule, networkAnswers, type SettledHost } from '../../domain/network/leave.ts'
import type { NetworkRule } from '../../domain/network/policy.ts'
import type { Question } from '../../domain/question.ts'
import type { Run } from '../../domain/run.ts'
import { projectFolder } from '../../sandbox/git/project-folder.ts'
import type { Driver } from '../../store/driver.ts'
import { questions, settledHosts } from '../../store/run-tables.ts'
import type { NetworkLeave } from '../../tools/tool.ts'

/** What people let the commands of a run reach beyond the settings. A leave for once is used up by the next command. */
export function networkLeave(
  driver: Driver,
  run: Pick<Run, 'id' | 'thread_id' | 'workspace'>,
  asks: boolean,
  now: () => Date,
): NetworkLeave {
  const project = projectFolder(run.workspace)
  return {
    asks,
    project,
    take: async () => {
      const settled = await settledHosts.items(driver, { where: { project } })
      const given = await takeGiven(driver, run, now())
      return { allowed: [...given, ...rulesOf(settled, true)], never: rulesOf(settled, false) }
    },
  }
}

function rulesOf(settled: readonly SettledHost[], allowed: boolean): NetworkRule[] {
  return settled.filter((host) => host.allowed === allowed).map(hostRule)
}

/** What was answered in this run: for all of it, or for one command, whose answer is marked as used. */
async function takeGiven(driver: Driver, { id, thread_id }: Pick<Run, 'id' | 'thread_id'>, now: Date): Promise<NetworkRule[]> {
  const answered = await questions.list(driver, { where: { thread_id, status: 'answered' } })
  const rules: NetworkRule[] = []
  for (const question of answered) {
    const { network, answer, run_id } = question.item
    if (network === undefined || run_id !== id) continue
    const isOnce = answer?.value === networkAnswers.once && network.used_at === null
    if (!isOnce && answer?.value !== networkAnswers.run) continue
    rules.push(...network.hosts.map(hostRule))
    if (isOnce) await questions.replace(driver, question, { ...question.item, network: { ...network, used_at: now.toISOString() } })
  }
  return rules
}

/** Keeps an answer that is meant for the project; the newer one counts. */
export async function settleHosts(driver: Driver, { network, answer }: Question): Promise<void> {
  const value = answer?.value
  if (network === undefined || answer === null || (value !== networkAnswers.project && value !== networkAnswers.never)) return
  for (const { host, port } of AskedNetwork.parse(network).hosts) {
    const id = `${network.project} ${host}:${port}`
    const settled = { id, project: network.project, host, port, allowed: value === networkAnswers.project, by: answer.by, at: answer.at }
    const was = await settledHosts.find(driver, id)
    await (was === null ? settledHosts.add(driver, settled) : settledHosts.replace(driver, was, settled))
  }
}

/** What became of a refusal, in the words the model reads after what the command printed. */
export function networkAnswerText({ network, answer, status }: Question): string {
  const hosts = (network?.hosts ?? []).map(({ host, port }) => `${host}:${port}`).join(', ')
  const said = answer?.text ? ` The user adds: ${answer.text}` : ''
  if (status === 'answered' && answer?.value === networkAnswers.once)
    return `The user lets the next call reach ${hosts}. Make the call again.${said}`
  if (status === 'answered' && (answer?.value === networkAnswers.run || answer?.value === networkAnswers.project))
    return `The user allows ${hosts} from now on. Make the call again.${said}`
  return `The user does not allow ${hosts}. Do without it.${said}`
}
