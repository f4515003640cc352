import { closest } from '../domain/text/closest.ts'
import { Problem } from '../domain/problem.ts'
import { stepsOf, type Step, type Workflow } from '../domain/workflow/workflow.ts'

/** A step by its id or by its key in a loop, or a refusal that names the nearest one. */
export function findStep(workflow: Workflow, stepId: string): Step {
  const steps = stepsOf(workflow)
  const id = stepId.split('::').at(-1) ?? stepId
  const found = steps.find((step) => step.id === id)
  if (found !== undefined) return found
  const ids = steps.map((step) => step.id)
  const nearest = closest(id, ids)
  const hint = nearest === null ? `its steps are ${ids.join(', ').slice(0, 500)}` : `did you mean ${nearest}?`
  throw new Problem('not_found', `${workflow.id} has no step "${stepId.slice(0, 100)}"; ${hint}`, {
    details: { field: 'stepId', got: stepId.slice(0, 200), expected: `a step of ${workflow.id}`, closest: nearest },
  })
}
