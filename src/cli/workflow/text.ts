import type { WorkflowFault } from '../../domain/workflow/faults.ts'
import { runStanding } from '../../domain/workflow/play.ts'
import type { OutlineStep, WorkflowOutline } from '../../domain/workflow/view.ts'
import { visible } from '../../roles/fault.ts'
import { tellStep, type NextStepView } from '../../workflows/follow.ts'
import type { WorkflowSummary } from '../../workflows/list.ts'
import type { WorkflowRunSummary, WorkflowRunView } from '../../workflows/play/view.ts'
import { faultLine } from '../../workflows/files/read.ts'
import { columns, paint } from '../terminal.ts'

export function listText({ workflows }: { workflows: readonly WorkflowSummary[] }): string {
  return columns(
    workflows.map(({ id, name, version, source, shadows }) => [
      paint('bold', id),
      version,
      shadows.length > 0 ? `${source} instead of ${shadows.at(-1)?.source}` : source,
      name,
    ]),
  )
}

export function refusedText(refused: readonly WorkflowFault[]): string {
  return refused.map((fault) => `refused: ${faultLine(fault)}`).join('\n')
}

export function workflowText(workflow: WorkflowOutline): string {
  const { id, name, description, version, preconditions, clarificationPrompts, steps } = workflow
  return [
    `${paint('bold', name)} (${id} ${version})`,
    description,
    ...section('Before you start', preconditions),
    ...section('Have answers ready', clarificationPrompts),
    '',
    ...steps.flatMap((step, at) => outlineText(step, `${at + 1}.`, '')),
  ].join('\n')
}

export function nextStepText(told: NextStepView): string {
  const { status, step, missing, run } = told
  const [head = '', ...rest] = tellStep(told).split('\n')
  const hint = status === 'blocked' ? [`Say it with --context '{"${missing[0]}": …}'.`] : []
  return [step === null ? head : paint('bold', head), ...rest, ...hint, ...(run === null ? [] : ['', `run: ${run}`])].join('\n')
}

export function runsText(runs: readonly WorkflowRunSummary[]): string {
  if (runs.length === 0) return 'No runs yet; start one with troupe workflow start ID.'
  return columns(runs.map((run) => [run.id, run.workflow_id, runStanding(run), `${run.done} done`, run.updated_at]))
}

export function runText(run: WorkflowRunView): string {
  const { id, workflow_id, open, missing, confirmation, steps } = run
  return [
    `${paint('bold', workflow_id)} ${id}: ${runStanding(run)}`,
    ...steps.flatMap(({ title, at, decisions, confirmed_by, output }) => [
      ...decisions.filter(passedOver).map(({ step, why }) => paint('dim', `  – ${step}: ${why}`)),
      `  ✓ ${title} ${paint('dim', `${at}${confirmed_by === null ? '' : `, confirmed by ${confirmed_by}`}`)}`,
      ...visible(output)
        .split('\n')
        .map((line) => `      ${line}`),
    ]),
    ...(open === null ? [] : [`  ▸ ${open.title}`, ...open.prompt.split('\n').map((line) => `      ${line}`)]),
    ...(missing.length > 0 ? [`  Waiting for the context variables ${missing.join(', ')}.`] : []),
    ...(confirmation === null ? [] : ['', confirmText(confirmation)]),
  ].join('\n')
}

function passedOver({ decision }: WorkflowRunView['steps'][number]['decisions'][number]): boolean {
  return decision === 'skipped' || decision === 'loop_ended'
}

function confirmText({ title, output, code }: NonNullable<WorkflowRunView['confirmation']>): string {
  return `The agent says "${title}" is done:\n\n${visible(output)}\n\nIf you agree, give it this code: ${paint('bold', code)}`
}

function outlineText(step: OutlineStep, number: string, indent: string): string[] {
  const { title, id, loop, prompt, role, runCondition, requireConfirmation } = step
  const marks = [
    ...(runCondition === null ? [] : [`when ${JSON.stringify(runCondition)}`]),
    ...(loop === null ? [] : [`${loop.type} ${JSON.stringify(loop.over)}, at most ${loop.maxIterations} times`]),
    ...(role === null ? [] : [`as ${role}`]),
    ...(requireConfirmation ? ['you confirm'] : []),
  ]
  const head = `${indent}${number} ${title} ${paint('dim', [id, ...marks].join(' · '))}`
  const body = loop === null ? [] : loop.body.flatMap((inner, at) => outlineText(inner, `${number}${at + 1}.`, `${indent}   `))
  return [head, ...(prompt === null ? [] : prompt.split('\n').map((line) => `${indent}   ${line}`)), ...body]
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  - ${line}`)]
}
