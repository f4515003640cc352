import * as z from 'zod'
import { defineFlow } from '../flow.ts'
import { DescribedDecision } from './answer.ts'
import { Workflow } from './workflow.ts'

export const workflowRunFlow = defineFlow({
  name: 'workflow run',
  states: ['active', 'completed'],
  initial: 'active',
  moves: {
    complete: { from: ['active'], to: 'completed', by: ['runtime'] },
  },
})

/** A person's leave that is still to be given: for one output of one step, by a code that only a person is shown. */
export type Confirmation = z.infer<typeof Confirmation>
export const Confirmation = z.object({
  key: z.string(),
  output: z.string(),
  output_hash: z.string(),
  code: z.string(),
  /** The variables that came with the output: they count once the step does. */
  context: z.record(z.string(), z.unknown()).default({}),
  asked_at: z.iso.datetime(),
})

/** One play of one version of a workflow. Its id is the handle's secret part: whoever knows it may advance the run. */
export type WorkflowRun = z.infer<typeof WorkflowRun>
export const WorkflowRun = z.object({
  id: z.string(),
  workflow_id: z.string(),
  workflow_hash: z.string(),
  status: z.enum(workflowRunFlow.states),
  /** How many steps were done; a handle carries it, so that a repeated call is known as one. */
  position: z.int().nonnegative(),
  /** How often new context alone opened another step since then. */
  reopened: z.int().nonnegative().default(0),
  /** The steps that were done, as `withDone` writes them down. */
  completed: z.string(),
  context: z.record(z.string(), z.unknown()),
  confirmation: Confirmation.nullable().default(null),
  started_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})

/** One step that was done in a run: what came of it, and what it added to the context. Kept apart so that a long run stays cheap to advance. */
export type WorkflowRunStep = z.infer<typeof WorkflowRunStep>
export const WorkflowRunStep = z.object({
  id: z.string(),
  run_id: z.string(),
  number: z.int().nonnegative(),
  key: z.string(),
  title: z.string(),
  output: z.string(),
  call_hash: z.string(),
  context: z.record(z.string(), z.unknown()),
  /** What the caller was told next; a repetition of the call is answered with it. */
  told: DescribedDecision,
  skipped: z.array(z.object({ step: z.string(), why: z.string() })).default([]),
  confirmed_by: z.string().nullable().default(null),
  at: z.iso.datetime(),
})

/** A workflow as it was when a run began; the id is its content hash. An edit of the file never reaches a run that has started. */
export type WorkflowVersion = z.infer<typeof WorkflowVersion>
export const WorkflowVersion = z.object({
  id: z.string(),
  workflow_id: z.string(),
  workflow: Workflow,
})
