import type { PlanEntryStatus, SessionUpdate } from '@agentclientprotocol/sdk'
import type { Plan, PlanContent, StepStatus } from '../domain/plan.ts'

/** How far each step has come, where somebody carries it out. */
type Progress = readonly { step_number: number; status: StepStatus }[]

const statuses: Readonly<Record<StepStatus, PlanEntryStatus>> = {
  pending: 'pending',
  active: 'in_progress',
  done: 'completed',
  // The protocol has no word for doubt: what is not certain is not completed.
  unconfirmed: 'in_progress',
  deviated: 'in_progress',
}

/** The whole plan, as every update must be. */
export function planUpdate({ steps }: PlanContent, progress: Progress): SessionUpdate {
  const statusOf = new Map(progress.map(({ step_number, status }) => [step_number, statuses[status]]))
  return {
    sessionUpdate: 'plan',
    entries: steps.map(({ step_number, action }) => ({
      content: action,
      priority: 'medium',
      status: statusOf.get(step_number) ?? 'pending',
    })),
  }
}

/** A plan as a person reads it before approving it. */
export function planText({ version, content }: Pick<Plan, 'version' | 'content'>): string {
  const { goal, steps, risks, prerequisites, estimated_total_time } = content
  return [
    `**Plan ${version}: ${goal}**`,
    ...steps.map(({ step_number, action, reason }) => `${step_number}. ${action}${reason === '' ? '' : `\n   ${reason}`}`),
    ...listed('Risks', risks),
    ...listed('Needed before', prerequisites),
    ...(estimated_total_time === '' ? [] : [`Estimated time: ${estimated_total_time}`]),
  ].join('\n')
}

function listed(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `- ${item}`)]
}
