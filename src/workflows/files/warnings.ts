import { cannotHold, comparedTexts, conditionsIn, variablesIn } from '../../domain/workflow/condition-check.ts'
import type { Fault } from '../../domain/workflow/faults.ts'
import { placedSteps, type WorkflowFault } from '../../domain/workflow/faults.ts'
import { referenceWarnings } from '../../domain/workflow/functions.ts'
import { loopVariables } from '../../domain/workflow/loop.ts'
import { placeholdersIn } from '../../domain/workflow/placeholder.ts'
import { NO_VERSION, type Step, type Workflow } from '../../domain/workflow/workflow.ts'
import { locateFaults } from './read.ts'
import { splitPrompt } from './migrate.ts'

/** What an author probably did not mean, though the file can be played: each with its line, what is odd and what to do. */
export async function workflowWarnings(workflow: Workflow, text: string, file: string): Promise<WorkflowFault[]> {
  const found = [
    ...(workflow.version === NO_VERSION ? [noVersion] : []),
    ...placedSteps(workflow).flatMap(({ step, path }) => roleInPrompt(step, path)),
    ...referenceWarnings(workflow),
    ...conditionWarnings(workflow),
    ...unsetVariables(workflow),
    ...unfilledPlaces(workflow),
  ]
  return found.length === 0 ? [] : locateFaults(found, text, file)
}

const noVersion: Fault = { path: ['version'], message: `no version, so ${NO_VERSION} is assumed`, fix: 'add "version": "1.0.0"' }

function roleInPrompt(step: Step, path: Fault['path']): Fault[] {
  if (splitPrompt(step.prompt) === null) return []
  const message = 'the prompt, which people read, tells the agent how to behave'
  return [{ path: [...path, 'prompt'], message, fix: 'move that to agentRole; migrating the file does it' }]
}

function conditionWarnings(workflow: Workflow): Fault[] {
  const all = conditionsIn(workflow)
  const impossible = all.filter(({ condition }) => cannotHold(condition))
  const spellings = [...comparedTexts(all.map(({ condition }) => condition))].flatMap(([name, texts]): Fault[] => {
    const same = [...Map.groupBy(texts, (text) => text.trim().toLowerCase()).values()].find((alike) => alike.length > 1)
    if (same === undefined) return []
    const path = all.find(({ condition }) => variablesIn(condition).has(name))?.path ?? []
    const message = `${name} is compared with texts that differ only in case or spaces: ${same.map((text) => JSON.stringify(text)).join(', ')}`
    return [{ path, message, fix: 'write it in one way: a value that nearly fits is asked about' }]
  })
  return [
    ...impossible.map(({ path }) => ({ path, message: 'this condition can never hold', fix: 'change it or remove it' })),
    ...spellings,
  ]
}

/** Agents set a variable because a text tells them to; one that no text names is asked of a person in every run. */
function unsetVariables(workflow: Workflow): Fault[] {
  const own = ownVariables(workflow)
  const told = textsOf(workflow).join('\n')
  const tested = [
    ...conditionsIn(workflow).flatMap(({ condition, path }) => [...variablesIn(condition)].map((name) => ({ name, path }))),
    ...workflow.steps.flatMap((step, at) => {
      const from = step.type === 'loop' ? (step.loop.items ?? step.loop.count) : undefined
      const key = step.type === 'loop' && step.loop.items !== undefined ? 'items' : 'count'
      return typeof from === 'string' ? [{ name: from, path: ['steps', at, 'loop', key] }] : []
    }),
  ]
  const first = [...Map.groupBy(tested, ({ name }) => name).values()].flatMap((same) => same.slice(0, 1))
  return first.flatMap(({ name, path }) => {
    if (own.has(name) || mentions(told, name)) return []
    return [
      {
        path,
        message: `no text says that ${name} is to be set`,
        fix: `name \`${name}\` in the prompt or guidance of the step that finds it out`,
      },
    ]
  })
}

function unfilledPlaces(workflow: Workflow): Fault[] {
  const own = ownVariables(workflow)
  const tested = new Set(conditionsIn(workflow).flatMap(({ condition }) => [...variablesIn(condition)]))
  const told = textsOf(workflow)
    .join('\n')
    .replaceAll(/\{\{[^}]*\}\}/g, '')
  return placedSteps(workflow).flatMap(({ step, path }) =>
    (['title', 'prompt', 'agentRole'] as const).flatMap((field) =>
      placeholdersIn(step[field] ?? '').flatMap((place) => {
        const [name = ''] = place.split('.')
        if (own.has(name) || tested.has(name) || mentions(told, name)) return []
        return [
          {
            path: [...path, field],
            message: `nothing says that ${name} is to be set, so {{${place}}} stays as it is`,
            fix: `name \`${name}\` where it is found out`,
          },
        ]
      }),
    ),
  )
}

function ownVariables(workflow: Workflow): Set<string> {
  const loops = workflow.steps.flatMap((step) => (step.type === 'loop' ? [step.loop] : []))
  return new Set(loops.flatMap(loopVariables))
}

function textsOf(workflow: Workflow): string[] {
  const { preconditions = [], clarificationPrompts = [], metaGuidance = [], functionDefinitions = [] } = workflow
  const definitions = [...functionDefinitions, ...workflow.steps.flatMap((step) => step.functionDefinitions ?? [])]
  return [
    ...preconditions,
    ...clarificationPrompts,
    ...metaGuidance,
    ...definitions.map(({ definition }) => definition),
    ...placedSteps(workflow).flatMap(({ step }) => [step.title, step.prompt, step.agentRole ?? '', ...(step.guidance ?? [])]),
  ]
}

function mentions(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w])${name.replaceAll(/[^\w]/g, '\\$&')}(?![\\w])`).test(text)
}
