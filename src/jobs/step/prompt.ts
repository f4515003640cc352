import type { Job } from '../../domain/job/job.ts'
import type { JobSeat } from '../../domain/job/flow.ts'
import type { InteractionRequest, JobInteraction } from '../../domain/job/history.ts'
import { rootAuthority } from '../../roles/delegation.ts'
import { composePrompt, type PromptParts } from '../../roles/prompt.ts'
import { jobInteractions } from '../../store/tables.ts'
import { toolsFor } from '../../tools/authorize.ts'
import { attachmentsOf, attachmentText, type Attachment } from './attachments.ts'
import { FILES_AT_MOST } from './files-context.ts'
import { reviewOrder } from './review-order.ts'
import { jobAgent, temperatureOf, type JobContext } from '../context.ts'
import { feedbackText, jobTaskText, workerOrder } from './task-text.ts'

/** All that an agent is sent at the start of a step, and the record of it. */
export interface StepPrompt {
  sections: NonNullable<PromptParts['sections']>
  order: string
  model: string
  request: InteractionRequest
}

const REMEMBERED = 5

/** Composes the prompt of the next step from what is stored. Nothing is changed by it, so it is also the preview. */
export async function composeStep(context: JobContext, job: Job, seat: JobSeat, head: string): Promise<StepPrompt> {
  const attachments = await attachmentsOf(job)
  const last = await jobInteractions.items(context.agent.driver, { where: { job_id: job.id }, order: ['-sequence'], limit: REMEMBERED })
  const sections = sectionsFrom(job, attachments)
  const order = seat === 'worker' ? workerOrder(job, soFar(last)) : await reviewOrder(job, last, head)
  const setting = job.roles[seat]
  const model = context.modelFor(setting.role, setting.model)
  const files_context = [...attachments.map(({ name }) => `../attachments/${name}`), ...filesIn(last)]
  const metadata = {
    role: context.agent.roles.resolve(setting.role).role.name,
    phase: job.current_phase ?? 'default',
    model,
    temperature: temperatureOf(job, seat),
  }
  return { sections, order, model, request: { prompt: `${systemOf(context, job, seat, sections)}\n\n${order}`, files_context, metadata } }
}

/** What the situation adds to the role of every agent of the job; it is the same from the first turn of a step to its last. */
export async function sectionsOf(job: Job): Promise<StepPrompt['sections']> {
  return sectionsFrom(job, await attachmentsOf(job))
}

function sectionsFrom(job: Job, attachments: readonly Attachment[]): StepPrompt['sections'] {
  return {
    job: [jobTaskText(job), attachmentText(attachments)].filter((text) => text !== '').join('\n\n'),
    feedback: feedbackText(job.feedback),
  }
}

/** The system prompt exactly as the run will have it: the same parts through the same function. */
function systemOf(context: JobContext, job: Job, seat: JobSeat, sections: StepPrompt['sections']): string {
  const { roles, sandbox } = context.agent
  const { role } = roles.resolve(job.roles[seat].role)
  const { permissions } = rootAuthority(role, roles)
  const agent = jobAgent(context, job, seat, sections)
  const offered = toolsFor({ role: role.id, permissions, approvals: agent.approvals, plan: null, sandbox }, agent.tools)
  const delegate = role.can_delegate_to_roles.length > 0 && permissions.includes('read_files') ? [{ name: 'delegate' }] : []
  return composePrompt({ role, tools: [...offered, ...delegate], workspace: job.workspace, permissions, sections })
}

function soFar(last: readonly JobInteraction[]): string {
  if (last.length === 0) return ''
  const lines = last.toReversed().map(({ sequence, interaction: { request, response } }) => {
    const what = response.actions[0] ?? response.status
    return `${sequence}. ${request.metadata.role} (${request.metadata.phase}): ${what} - ${response.summary_for_supervisor || 'no summary'}`
  })
  return `What happened so far:\n${lines.join('\n')}`
}

/** The files the last Worker named or changed. */
function filesIn(last: readonly JobInteraction[]): string[] {
  const work = last.find(({ seat }) => seat === 'worker')
  if (!work || work.set_aside !== null) return []
  const claimed = work.evidence.claimed.filter(({ found }) => found === 'changed' || found === 'unchanged').map(({ path }) => path)
  return [...new Set([...claimed, ...work.evidence.changed.map(({ path }) => path)])].slice(0, FILES_AT_MOST)
}
