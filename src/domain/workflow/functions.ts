import type { Fault, Path } from './faults.ts'
import type { FunctionDefinition, Step, Workflow } from './workflow.ts'

type Definitions = ReadonlyMap<string, FunctionDefinition>

/** Calls of functions that nobody defined, or that lack what the definition asks for. */
export function functionFaults(workflow: Workflow): Fault[] {
  return withDefinitions(workflow, (step, definitions, path) =>
    (step.functionCalls ?? []).flatMap((call, at) => callFaults(call, definitions, [...path, 'functionCalls', at])),
  )
}

/** References to functions that nobody defined: the agent is told only a name. */
export function referenceWarnings(workflow: Workflow): Fault[] {
  return withDefinitions(workflow, (step, definitions, path) =>
    (step.functionReferences ?? []).flatMap((reference, at) => {
      const known = definitions.has(reference.slice(0, -2))
      return known ? [] : [undefinedFunction(reference, definitions, [...path, 'functionReferences', at])]
    }),
  )
}

function withDefinitions(workflow: Workflow, look: (step: Step, definitions: Definitions, path: Path) => Fault[]): Fault[] {
  const everywhere = named(workflow.functionDefinitions, new Map())
  return workflow.steps.flatMap((step, index) => {
    if (step.type !== 'loop') return look(step, named(step.functionDefinitions, everywhere), ['steps', index])
    if (typeof step.body === 'string') return []
    const inLoop = named(step.functionDefinitions, everywhere)
    return step.body.flatMap((inner, at) => look(inner, named(inner.functionDefinitions, inLoop), ['steps', index, 'body', at]))
  })
}

function named(definitions: readonly FunctionDefinition[] | undefined, outer: Definitions): Definitions {
  return new Map([...outer, ...(definitions ?? []).map((definition) => [definition.name, definition] as const)])
}

function callFaults(call: { name: string; args: Record<string, unknown> }, definitions: Definitions, path: Path): Fault[] {
  const definition = definitions.get(call.name)
  if (definition === undefined) return [undefinedFunction(call.name, definitions, [...path, 'name'])]
  return (definition.parameters ?? []).flatMap((parameter) => {
    const value = call.args[parameter.name]
    const at = [...path, 'args', parameter.name]
    if (value === undefined) {
      const needed = parameter.required === true && parameter.default === undefined
      return needed ? [{ path: [...path, 'args'], message: `${call.name} needs "${parameter.name}"`, fix: `add "${parameter.name}"` }] : []
    }
    if (typeOf(value) !== parameter.type) {
      return [{ path: at, message: `"${parameter.name}" must be of type ${parameter.type}, not ${typeOf(value)}`, fix: 'change the value' }]
    }
    if (parameter.enum === undefined || parameter.enum.includes(value)) return []
    return [{ path: at, message: `"${parameter.name}" must be one of ${JSON.stringify(parameter.enum)}`, fix: 'change the value' }]
  })
}

function undefinedFunction(name: string, definitions: Definitions, path: Path): Fault {
  const known = [...definitions.keys()].join(', ') || 'none yet'
  return { path, message: `no function "${name}" is defined here`, fix: `define it in functionDefinitions; defined: ${known}` }
}

function typeOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : typeof value
}
