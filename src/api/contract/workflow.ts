import * as z from 'zod'
import { Usage } from '../../domain/entry.ts'
import { Permission } from '../../domain/permission.ts'
import { Question } from '../../domain/question.ts'
import { DescribedDecision } from '../../domain/workflow/answer.ts'
import { WorkflowFault } from '../../domain/workflow/faults.ts'
import { PlayRequest, WorkflowPlay } from '../../domain/workflow/play.ts'
import { WorkflowRun, WorkflowRunStep } from '../../domain/workflow/run.ts'
import { StepUserView, WorkflowOutline } from '../../domain/workflow/view.ts'

const source = z.enum(['built-in', 'user', 'project', 'path'])
const found = { source, file: z.string(), shadows: z.array(z.object({ source, file: z.string() })) }
/** The name under which the project's own file can be edited; null for everything else. */
const edit = z.string().nullable()

/** A workflow in the catalogue. */
export type WorkflowSummary = z.infer<typeof WorkflowSummary>
export const WorkflowSummary = WorkflowOutline.pick({ id: true, name: true, description: true, version: true }).extend({
  steps: z.int(),
  ...found,
  edit,
})

const PlaySummary = WorkflowPlay.pick({ agent_role: true, model: true, workspace: true, status: true, reason: true, message: true }).extend(
  {
    at_work: z.boolean(),
  },
)

/** A run in a list; `play` is null when an outside client carries it out. */
const WorkflowRunSummary = WorkflowRun.pick({
  id: true,
  workflow_id: true,
  status: true,
  started_at: true,
  updated_at: true,
}).extend({
  name: z.string(),
  done: z.int(),
  waits_for_confirmation: z.boolean(),
  play: PlaySummary.nullable(),
})

const decisions = DescribedDecision.shape.trace
const played = {
  agent_role: z.string().nullable(),
  capped: z.array(Permission),
  refusals: z.array(z.object({ issues: z.array(z.string()), at: z.iso.datetime() })),
}

/** A run in full: what was done and why, what is open, and what waits for a person. */
export type WorkflowRunView = z.infer<typeof WorkflowRunView>
export const WorkflowRunView = WorkflowRunSummary.extend({
  workflow: WorkflowOutline,
  context: z.record(z.string(), z.unknown()),
  play: PlaySummary.extend({ usage: Usage, turns: z.int() }).nullable(),
  question: Question.nullable(),
  open: StepUserView.omit({ audience: true }).nullable(),
  missing: z.array(z.string()),
  confirmation: z.object({ title: z.string(), output: z.string(), code: z.string() }).nullable(),
  steps: z.array(
    WorkflowRunStep.pick({ key: true, title: true, output: true, confirmed_by: true, at: true }).extend({ decisions, ...played }),
  ),
  current: z.object({ decisions, ...played }).nullable(),
  activity: z.array(z.object({ at: z.iso.datetime(), text: z.string() })),
})

const File = z.object({ name: z.string(), text: z.string(), version: z.string() })
const Text = z.string().max(1024 * 1024)

export const workflowContract = {
  listWorkflows: {
    summary: 'Every workflow that was found, and every file that was refused',
    reply: z.object({ workflows: z.array(WorkflowSummary), refused: z.array(WorkflowFault.extend({ edit })) }),
  },
  getWorkflow: { summary: 'One workflow as people see it', reply: z.object({ workflow: WorkflowOutline, ...found, edit }) },
  startWorkflow: {
    summary: "Have Troupe's own agent carry out a workflow",
    body: PlayRequest.partial({ workspace: true }),
    reply: z.object({ run: z.string() }),
  },
  listWorkflowRuns: { summary: 'The latest runs of workflows', reply: z.object({ runs: z.array(WorkflowRunSummary) }) },
  getWorkflowRun: { summary: 'One run with its timeline', reply: WorkflowRunView },
  answerWorkflow: {
    summary: 'Answer the question a played workflow waits for; it goes on at once',
    body: z.strictObject({ value: z.string().optional(), text: z.string().max(20_000).optional() }),
    reply: Question,
  },
  stopWorkflow: { summary: 'Stop a workflow that is played, and its agent', reply: z.object({ status: z.string() }) },
  continueWorkflow: { summary: 'Carry on a workflow that was interrupted, stopped or failed', reply: z.object({ run: z.string() }) },
  createWorkflow: {
    summary: "Make a workflow file in the project: a first draft, or a copy of another workflow that is then the author's own",
    body: z.strictObject({ id: z.string(), from: z.string().optional() }),
    reply: File,
  },
  checkWorkflow: {
    summary: 'For the author of a text: what is wrong with it, and both sides of each step',
    body: z.strictObject({ name: z.string(), text: Text }),
    reply: z.object({
      faults: z.array(WorkflowFault),
      warnings: z.array(WorkflowFault),
      workflow: WorkflowOutline.nullable(),
      steps: z.array(z.object({ id: z.string(), title: z.string(), user: z.string(), agent: z.string() })),
    }),
  },
  getWorkflowFile: { summary: "For its author: a workflow file of the project's own", reply: File },
  saveWorkflowFile: {
    summary: 'Save a valid workflow file over the version that was read',
    body: z.strictObject({ text: Text, version: z.string() }),
    reply: File,
  },
}
