import type { AgentContext } from '../../agent/agent.ts'
import type { Permission } from '../../domain/permission.ts'
import { shorten } from '../../domain/text/format.ts'
import type { WorkflowPlay } from '../../domain/workflow/play.ts'
import { instanceAt } from '../../domain/workflow/next.ts'
import { composeStepPrompt, type Progress } from '../../domain/workflow/view.ts'
import type { Workflow } from '../../domain/workflow/workflow.ts'
import { cappedAuthority, rootAuthority, type Authority } from '../../roles/delegation.ts'
import type { Roles } from '../../roles/roles.ts'
import type { RunAnswer } from '../handle.ts'
import { finishStepTool } from './tool.ts'
import { type Context, judgeCondition } from '../../domain/workflow/condition.ts'
import { isComposition, type ValidationComposition, type ValidationCriteria, type ValidationRule } from '../../domain/workflow/criteria.ts'

/** What the agent is to do next: a step of the workflow, or finding out what nobody can decide the next step without. */
export interface StepAssignment {
  /** The handle its output is handed in with. */
  handle: string
  /** What its record is called: finding out something and the step after it have the same handle. */
  id: string
  title: string
  prompt: string
  progress: Progress | null
  /** What only the agent reads. */
  order: string
  agent_role: string
  authority: Authority
  capped: Permission[]
  missing: readonly string[]
  /** What people must not see even where the agent quotes it. */
  hidden: readonly string[]
}

/** More of the context than this would push the step itself out of sight. */
const CONTEXT_CHARS = 8_000

/** The task an answer amounts to. A role named in a file gets no more than the role a person chose has. */
export function assignmentFor(roles: Roles, play: WorkflowPlay, answer: RunAnswer, context: Record<string, unknown>): StepAssignment {
  const chosen = roles.resolve(play.agent_role).role
  const named = answer.agent?.step.role
  const role = named === undefined ? chosen : roles.need(named)
  const authority = named === undefined ? rootAuthority(role, roles) : cappedAuthority(role, chosen, roles)
  const common = {
    handle: answer.run,
    agent_role: role.id,
    authority,
    capped: role.permissions.filter((permission) => !authority.permissions.includes(permission)),
    missing: answer.missing,
    hidden: [answer.agent?.step.agentRole ?? '', ...(answer.agent?.step.guidance ?? [])],
    progress: answer.user?.progress ?? null,
  }
  if (answer.user === null) {
    const title = `Find out ${answer.missing.join(', ')}`
    return { ...common, id: `${answer.run}?`, title, prompt: findOut(answer), order: finishing(answer.workflow, title, context) }
  }
  return { ...common, id: answer.run, title: answer.user.title, prompt: answer.user.prompt, order: orderFor(answer, context) }
}

/** The agent as a task has it: its order on the level of the system, a way to hand in, and no plan to hand over. */
export function agentOn(agent: AgentContext, play: WorkflowPlay, task: StepAssignment): AgentContext {
  const notice =
    task.capped.length === 0
      ? ''
      : `This step names the role ${task.agent_role}, but the user started the workflow as ${play.agent_role}: you may do no more than that role. Where it is not enough, say so in the output.`
  return {
    ...agent,
    tools: [...agent.tools.filter(({ name }) => name !== 'submit_plan'), finishStepTool(task.agent_role)],
    sections: { ...agent.sections, order: task.order, notice },
  }
}

function orderFor({ workflow, agent, user, loop, key }: RunAnswer, context: Record<string, unknown>): string {
  const step = agent?.step
  const known = { ...context, ...loop?.variables }
  const { validationCriteria } = key === null ? {} : instanceAt(workflow, key, loop).step
  return [
    composeStepPrompt({ agentRole: step?.agentRole, guidance: step?.guidance, prompt: '' }),
    section(
      'Throughout the workflow',
      (workflow.metaGuidance ?? []).map((hint) => `- ${hint}`),
    ),
    section(
      'Functions',
      (step?.functionDefinitions ?? []).map(({ name, definition }) => `- ${name}: ${definition}`),
    ),
    section(
      'Function calls',
      (step?.functionCalls ?? []).map(({ name, args }) => `- ${name} ${JSON.stringify(args)}`),
    ),
    section(
      'What the output is judged by',
      demandsOf(validationCriteria, known).map((line) => `- the output ${line}`),
    ),
    step?.askForFiles === true ? 'If you cannot tell which files this is about, ask the user for them.' : '',
    finishing(workflow, user?.title ?? '', known),
  ]
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('\n\n')
}

function finishing({ name }: Workflow, title: string, context: Record<string, unknown>): string {
  return [
    `You carry out the workflow "${name}" step by step; this is "${title}". Do this step and nothing of a later one.`,
    `When it is done call finish_step, with what came of it as output and every variable you were asked to set in context.`,
    `Known variables: ${shorten(JSON.stringify(context), CONTEXT_CHARS)}`,
  ].join('\n')
}

function findOut({ missing, issues }: RunAnswer): string {
  return [
    `Nobody can tell what comes next: ${issues.join('; ')}.`,
    `Find out ${missing.join(', ')} from what was done so far and from the workspace, and set it with finish_step in context. Do not guess.`,
  ].join('\n')
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n${lines.join('\n')}`
}

/** What the criteria of a step ask of its output, a line for each rule that applies: an agent that knows them need not be sent back. */
export function demandsOf(criteria: ValidationCriteria | undefined, context: Context): string[] {
  if (criteria === undefined) return []
  return Array.isArray(criteria) ? criteria.flatMap((rule) => demand(rule, context)) : demand(criteria, context)
}

function demand(member: ValidationRule | ValidationComposition, context: Context): string[] {
  if (!isComposition(member)) return judgeCondition(member.condition, context).holds === false ? [] : [sentence(member)]
  const inner = (members: readonly (ValidationRule | ValidationComposition)[]) => members.flatMap((part) => demand(part, context))
  if (member.not !== undefined) return inner([member.not]).map((line) => `not: ${line}`)
  if (member.or === undefined) return inner(member.and ?? [])
  const choices = inner(member.or)
  return choices.length === 0 ? [] : [choices.join(' | or ')]
}

function sentence({ type, message, value, pattern, flags = '', min, max, schema }: ValidationRule): string {
  // oxfmt-ignore
  const what = {
    contains: `contains ${JSON.stringify(value ?? '')}`,
    regex:    `matches /${pattern ?? ''}/${flags}`,
    length:   `has ${min ?? 0} to ${max ?? 'any number of'} characters`,
    schema:   `is JSON that fits ${JSON.stringify(schema ?? {})}`,
  }[type]
  return message === '' ? what : `${what} — ${message}`
}
