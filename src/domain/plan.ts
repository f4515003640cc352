import * as z from 'zod'
import { defineFlow } from './flow.ts'
import { NonBlank } from './text/fields.ts'

export type PlanStep = z.infer<typeof PlanStep>
export const PlanStep = z.object({
  step_number: z.int().positive(),
  action: NonBlank,
  reason: z.string().default(''),
  tools_needed: z.array(z.string()).default([]),
  estimated_time: z.string().default(''),
})

/** What a Planner hands back; at least a goal and one step. */
export type PlanContent = z.infer<typeof PlanContent>
export const PlanContent = z.object({
  goal: NonBlank,
  steps: z.array(PlanStep).min(1),
  estimated_total_time: z.string().default(''),
  risks: z.array(z.string()).default([]),
  prerequisites: z.array(z.string()).default([]),
})

export const planFlow = defineFlow({
  name: 'plan',
  states: ['draft', 'approved', 'superseded', 'executed'],
  initial: 'draft',
  moves: {
    approve: { from: ['draft'], to: 'approved', by: ['user'] },
    supersede: { from: ['draft', 'approved'], to: 'superseded', by: ['user', 'runtime'] },
    finish: { from: ['approved'], to: 'executed', by: ['runtime'] },
  },
})

/** A plan as a record: a version of what was proposed, its hash, and whether a person approved exactly that. */
export type Plan = z.infer<typeof Plan>
export const Plan = z.object({
  id: z.string(),
  thread_id: z.string(),
  version: z.int().positive(),
  previous_id: z.string().nullable().default(null),
  status: z.enum(planFlow.states),
  hash: z.string(),
  content: PlanContent,
  created_at: z.iso.datetime(),
  created_by: z.string(),
  approved_at: z.iso.datetime().nullable().default(null),
  approved_by: z.string().nullable().default(null),
})

/** How far a step of a plan has come. `unconfirmed`: said to be done, but the last call made for it failed. */
export type StepStatus = z.infer<typeof StepStatus>
export const StepStatus = z.enum(['pending', 'active', 'done', 'deviated', 'unconfirmed'])
