import { hostRule, type AskedNetwork } from '../domain/network/leave.ts'
import { narrowedPolicy, networkPolicy, ruleText, widenedPolicy } from '../domain/network/policy.ts'
import type { RefusedHost } from '../network/session.ts'
import type { Command, CommandResult } from '../sandbox/sandbox.ts'
import { networkQuestion } from './network-question.ts'
import type { ToolAnswer, ToolContext } from './tool.ts'

/** Whom the next command of a run may reach, and what becomes of those it was refused. */
export async function reachOf({ commands: { network }, bounds, networkLeave, role_name }: ToolContext) {
  const most = networkPolicy(bounds.network)
  const { allowed, never } = typeof network === 'string' ? { allowed: [], never: [] } : await networkLeave.take()
  const policy = narrowedPolicy(widenedPolicy(network, allowed), most)
  const settled = new Set(never.map(ruleText))
  return {
    network: { network: policy, networkMost: most } satisfies Partial<Command>,
    /** A command that failed and was refused hosts that a person may allow waits for that person. */
    asked: (command: string, { refused = [] }: Pick<CommandResult, 'refused'>, answer: ToolAnswer): ToolAnswer => {
      const open = refused.filter((host) => host.why === 'not_listed' && !settled.has(ruleText(hostRule(host))))
      if (open.length === 0 || answer.failed !== true) return answer
      if (!networkLeave.asks) return { ...answer, output: `${answer.output}\n${howToAllow(open)}` }
      const hosts: AskedNetwork = { hosts: open.map(({ host, port }) => ({ host, port })), project: networkLeave.project, used_at: null }
      const details = { ...answer.details, network: hosts, question: networkQuestion(role_name, command, hosts) }
      return { output: answer.output, details, ends: 'waiting' }
    },
  }
}

const whyRefused: Readonly<Record<RefusedHost['why'], string>> = {
  not_listed: 'it is not in sandbox.network',
  role: 'this role may not reach it',
  address: 'its name leads to this machine or to a private network',
  bad_host: 'it is not a host',
}

/** What a model and a person read about refusals, after what the command printed. */
export function refusalLines(refused: readonly RefusedHost[]): string[] {
  return refused.map(({ host, port, why }) => `refused: ${host}:${port} (${whyRefused[why]})`)
}

function howToAllow(refused: readonly RefusedHost[]): string {
  return `Only the user can allow it, by adding to sandbox.network in their settings: ${refused.map((host) => ruleText(hostRule(host))).join(', ')}`
}
