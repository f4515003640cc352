import type { NextAnswer } from '../../domain/workflow/answer.ts'
import type { WorkflowFault } from '../../domain/workflow/faults.ts'
import { runStanding, type StandingRun } from '../../domain/workflow/play.ts'
import type { OutlineStep, WorkflowUserView } from '../../domain/workflow/view.ts'
import { visible } from '../../roles/fault.ts'
import type { listedWorkflows } from '../../workflows/list.ts'
import { faultLine } from '../../workflows/read.ts'
import type { RunSummary, RunView } from '../../workflows/runs.ts'
import { columns, paint } from '../terminal.ts'

export function listText({ workflows }: ReturnType<typeof listedWorkflows>): string {
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

export function workflowText(workflow: WorkflowUserView): string {
  const { id, name, description, version, preconditions, clarificationPrompts, steps } = workflow
  return [
    `${paint('bold', name)} (${id} ${version})`,
    description,
    ...section('Before you start', preconditions),
    ...section('Be ready to say', clarificationPrompts),
    '',
    ...steps.flatMap((step, at) => outlineText(step, `${at + 1}.`, '')),
  ].join('\n')
}

export function nextAnswerText({ status, user, missing, issues }: NextAnswer): string {
  if (status === 'complete') return ['The workflow is complete.', ...issues].join('\n')
  if (status === 'blocked') return `Nobody can tell what comes next: ${issues.join('; ')}. Say it with --context '{"${missing[0]}": …}'.`
  const { position, of, round } = user?.progress ?? { position: 0, of: 0, round: null }
  const head = `${paint('bold', user?.title ?? '')} (step ${position} of ${of}${round === null ? '' : `, ${round}`}; ${user?.key})`
  return [head, '', user?.prompt ?? '', ...(issues.length > 0 ? ['', ...issues] : [])].join('\n')
}

export function runsText(runs: readonly (RunSummary & StandingRun)[]): string {
  if (runs.length === 0) return 'No run yet; troupe workflow start ID begins one.'
  return columns(runs.map((run) => [run.id, run.workflow_id, runStanding(run), `${run.done} done`, run.updated_at]))
}

export function runText(run: RunView & StandingRun): string {
  const { id, workflow_id, open, missing, confirmation, steps } = run
  return [
    `${paint('bold', workflow_id)} ${id}: ${runStanding(run)}`,
    ...steps.flatMap(({ title, at, skipped, confirmed_by, output }) => [
      ...skipped.map(({ step, why }) => paint('dim', `  – ${step}: ${why}`)),
      `  ✓ ${title} ${paint('dim', `${at}${confirmed_by === null ? '' : `, confirmed by ${confirmed_by}`}`)}`,
      ...visible(output)
        .split('\n')
        .map((line) => `      ${line}`),
    ]),
    ...(open === null ? [] : [`  ▸ ${open.title}`, ...open.prompt.split('\n').map((line) => `      ${line}`)]),
    ...(missing.length > 0 ? [`  Waits for the context variables ${missing.join(', ')}.`] : []),
    ...(confirmation === null ? [] : ['', confirmText(confirmation)]),
  ].join('\n')
}

function confirmText({ title, output, code }: NonNullable<RunView['confirmation']>): string {
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
