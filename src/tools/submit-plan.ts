import { PlanContent } from '../domain/plan.ts'
import { defineTool } from './gate.ts'

/** Hands a plan to the user and ends the run: only the user can have it executed. */
export const submitPlanTool = defineTool({
  name: 'submit_plan',
  description: 'Hand in the finished plan. The user reads it and decides whether it is executed.',
  required_permissions: ['read_files'],
  mode: 'plan',
  input: PlanContent,
  run: async (plan) => ({ output: 'the plan is with the user', details: { plan }, ends: 'completed' }),
})
