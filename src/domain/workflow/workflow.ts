import * as z from 'zod'
import { hiddenIn, NO_HIDDEN_CHARACTER, VISIBLE_CHARACTER } from '../text/hidden-character.ts'
import { Condition } from './condition.ts'
import { ValidationCriteria } from './criteria.ts'

/** The format this program writes; a file that names none is of this one. */
export const FORMAT_VERSION = 1

/** The version of a workflow whose author gave it none. */
export const NO_VERSION = '0.0.0'

const id = z
  .string()
  .regex(/^[a-z0-9-]{3,64}$/, '3 to 64 lower-case letters, digits and hyphens')
  .meta({ description: '3 to 64 lower-case letters, digits and hyphens' })

const identifier = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'a letter or _, then letters, digits and _')

/** Counted in characters as JSON Schema counts them, not in UTF-16 units: the two must refuse the same texts. */
function text(min: number, max: number) {
  return z
    .string()
    .refine((value) => characters(value) >= min && characters(value) <= max, { error: ({ input }) => lengthFault(input, min, max) })
    .meta({ minLength: min, maxLength: max })
}

const uniqueTexts = z
  .array(text(1, 256))
  .refine((values) => new Set(values).size === values.length, 'must not contain the same text twice')
  .meta({ uniqueItems: true })

const FunctionParameter = z.strictObject({
  name: identifier,
  type: z.enum(['string', 'number', 'boolean', 'array', 'object']),
  required: z.boolean().optional(),
  description: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  default: z.unknown().optional(),
})

/** Prose the author wrote once and names in several steps; it is text for the agent and never runs. */
export type FunctionDefinition = z.infer<typeof FunctionDefinition>
export const FunctionDefinition = z
  .strictObject({
    name: identifier,
    definition: z.string().min(1),
    parameters: z.array(FunctionParameter).optional(),
    scope: z.enum(['workflow', 'loop', 'step']).optional(),
  })
  .meta({ id: 'FunctionDefinition', description: 'A named piece of prose for the agent; it never runs as code.' })

const functions = { functionDefinitions: z.array(FunctionDefinition).optional() }

const gates = {
  runCondition: Condition.optional().describe('The step is carried out only when this holds.'),
  requireConfirmation: z
    .union([z.boolean(), Condition])
    .optional()
    .describe('A person must confirm before the step counts as done. A condition decides when.'),
}

/** One step an agent carries out. `prompt` is for people, `agentRole` for the agent alone, `guidance` are tactical hints. */
export type Step = z.infer<typeof Step>
export const Step = z
  .strictObject({
    id,
    type: z.literal('step').optional(),
    title: text(1, 128),
    prompt: text(1, 8192).describe('User-facing: what to do. Shown to people and sent to the agent.'),
    agentRole: text(10, 1024)
      .refine((value) => VISIBLE_CHARACTER.test(value), 'holds nothing that can be read; write how the agent should behave')
      .meta({ pattern: `${NO_HIDDEN_CHARACTER}[^]*${VISIBLE_CHARACTER.source}` })
      .optional()
      .describe(
        'Optional behavioral instructions for AI agents defining how they should approach and execute this step. This content is not shown to users.',
      ),
    guidance: z.array(z.string()).optional().describe('Tactical hints for the agent, one bullet each.'),
    role: z
      .string()
      .regex(/^[a-z][a-z0-9_]{0,63}$/, 'the id of a role, such as reviewer')
      .optional()
      .describe('A Troupe role whose permissions are enforced when Troupe plays the step.'),
    askForFiles: z.boolean().optional(),
    ...gates,
    validationCriteria: ValidationCriteria.optional().describe('What the output of the step must meet.'),
    hasValidation: z.boolean().optional(),
    ...functions,
    functionCalls: z.array(z.strictObject({ name: identifier, args: z.record(z.string(), z.unknown()) })).optional(),
    functionReferences: z.array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*\(\)$/, 'a name followed by ()')).optional(),
  })
  .meta({ id: 'Step', description: 'One step an agent carries out.' })

const rounds = z.union([z.int().min(0).max(1000), identifier])

const anyLoop = {
  maxIterations: z.int().min(1).max(1000).describe('The loop ends after this many rounds, whatever its condition says.'),
  condition: Condition.optional(),
  count: rounds.optional(),
  items: identifier.optional(),
  iterationVar: identifier.optional().describe('Counts from 1. Default currentIteration.'),
  itemVar: identifier.optional().describe('Default currentItem.'),
  indexVar: identifier.optional().describe('Counts from 0. Default currentIndex.'),
}

/** How often a loop goes round. */
export type Loop = z.infer<typeof Loop>
export const Loop = z.discriminatedUnion('type', [
  z.strictObject({ ...anyLoop, type: z.literal('while'), condition: Condition }),
  z.strictObject({ ...anyLoop, type: z.literal('until'), condition: Condition }),
  z.strictObject({ ...anyLoop, type: z.literal('for'), count: rounds }),
  z.strictObject({ ...anyLoop, type: z.literal('forEach'), items: identifier }),
])

/** Steps that are repeated. The body is written inline, or names a step of the workflow. */
export type LoopStep = z.infer<typeof LoopStep>
export const LoopStep = z
  .strictObject({
    id,
    type: z.literal('loop'),
    title: text(1, 128),
    loop: Loop,
    body: z.union([id, z.array(Step).min(1)]),
    ...gates,
    ...functions,
  })
  .meta({ id: 'LoopStep', description: 'Steps that are repeated.' })

/** A workflow as its author wrote it: the only definition of the format; the JSON Schema is generated from it. */
export type Workflow = z.infer<typeof Workflow>
export const Workflow = z
  .strictObject({
    $schema: z.string().optional(),
    formatVersion: z.literal(FORMAT_VERSION).optional().describe('The version of this file format; not the version of the workflow.'),
    id,
    name: text(1, 128),
    description: text(1, 512),
    version: z
      .string({
        error: ({ input }) =>
          typeof input === 'number' ? `is the number ${input}; write "${Math.trunc(input)}.0.0", with the quotes` : undefined,
      })
      .regex(
        /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(\.(0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(\+[0-9a-zA-Z-]+(\.[0-9a-zA-Z-]+)*)?$/,
        'a semantic version such as 1.0.0',
      )
      .default(NO_VERSION)
      .describe("The author's version of this workflow, such as 1.0.0."),
    replaces: z.literal('built-in').optional().describe('Says that a project means to replace the built-in workflow of the same id.'),
    preconditions: uniqueTexts.optional(),
    clarificationPrompts: uniqueTexts.optional(),
    metaGuidance: uniqueTexts.optional(),
    ...functions,
    steps: z.array(z.discriminatedUnion('type', [Step, LoopStep])).min(1),
  })
  .refine((value) => hiddenIn(value) === null, 'holds control or text-direction characters that people would not see')
  .meta({ title: 'Workflow', description: 'A workflow that an agent carries out step by step.' })

/** The published JSON Schema. Every text in it, also within values of any kind, is held to what a reader can see. */
export function workflowJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(Workflow, { io: 'input', target: 'draft-2020-12', override: ({ jsonSchema }) => plainTexts(jsonSchema) })
  return { ...schema, $defs: { ...schema.$defs, AnyValue: anyValue } }
}

const anyText = { type: 'string', pattern: NO_HIDDEN_CHARACTER } as const
const anyRef = { $ref: '#/$defs/AnyValue' } as const
const anyValue = {
  anyOf: [
    anyText,
    { type: ['number', 'boolean', 'null'] },
    { type: 'array', items: anyRef },
    { type: 'object', propertyNames: { pattern: NO_HIDDEN_CHARACTER }, additionalProperties: anyRef },
  ],
}

function plainTexts(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.type === 'string' && schema.pattern === undefined && schema.const === undefined && schema.enum === undefined)
    schema.pattern = NO_HIDDEN_CHARACTER
  if (Object.keys(schema).length === 0) Object.assign(schema, anyRef)
}

/** The steps inside a loop, wherever they were written. A body that names no step has been refused before this is asked. */
export function bodyOf(workflow: Workflow, loop: LoopStep): readonly Step[] {
  if (typeof loop.body !== 'string') return loop.body
  const named = workflow.steps.find((step) => step.id === loop.body)
  return named === undefined || named.type === 'loop' ? [] : [named]
}

/** Every step an agent carries out: the plain ones, and those inside loops where the loop stands. */
export function stepsOf(workflow: Workflow): Step[] {
  const bodies = new Set(workflow.steps.flatMap((step) => (step.type === 'loop' && typeof step.body === 'string' ? [step.body] : [])))
  return workflow.steps.flatMap((step) => (step.type === 'loop' ? [...bodyOf(workflow, step)] : bodies.has(step.id) ? [] : [step]))
}

function lengthFault(value: unknown, min: number, max: number): string {
  const count = typeof value === 'string' ? characters(value) : 0
  return `is ${count} characters; ${count < min ? `at least ${min}` : `at most ${max}`}`
}

function characters(value: string): number {
  let count = 0
  for (const _ of value) count += 1
  return count
}
