import type { Document, Node, YAMLMap } from 'yaml'
import * as z from 'zod'
import { defineOperation } from '../../domain/operation.ts'
import { messageOf, Problem } from '../../domain/problem.ts'
import { isRecord } from '../../domain/text/unknown-value.ts'
import { WorkflowText } from './check.ts'
import type { WorkflowContext } from '../context.ts'
import { migrateWorkflow } from './migrate.ts'

type Yaml = typeof import('yaml')

export const migrateText = defineOperation({
  name: 'workflow.migrate',
  summary: 'Move roles out of the prompts of an old workflow into agentRole; nothing is written',
  by: ['person'],
  effect: 'read',
  absent: { cli: 'the terminal migrates a file by its name, and can write it: workflow migrate' },
  input: WorkflowText,
  output: z.object({
    text: z.string(),
    changed: z.boolean(),
    diff: z.string(),
    notes: z.array(z.object({ step: z.string(), note: z.string() })),
  }),
  example: { name: 'old.json', text: '{"id": "my-workflow", "name": …}' },
  tell: ({ diff }) => diff,
  run: (_context: WorkflowContext, { name, text }) => migrateFile(name, text),
})

/** Brings the text of a workflow file up to date: its new text, what changed, and what a person has to do by hand. Nothing is written: whoever asked decides. */
export async function migrateFile(file: string, text: string) {
  const isYaml = /\.ya?ml$/i.test(file)
  const yaml = await import('yaml')
  const was = parsed(yaml, file, text, isYaml)
  const { value, notes } = migrateWorkflow(was)
  const fresh = withSteps(yaml, text, changedSteps(was, value))
  const { createTwoFilesPatch } = await import('diff')
  return { text: fresh, changed: fresh !== text, diff: createTwoFilesPatch(file, file, text, fresh, 'before', 'after'), notes }
}

function parsed(yaml: Yaml, file: string, text: string, isYaml: boolean): unknown {
  try {
    return isYaml ? yaml.parse(text, { maxAliasCount: 0 }) : JSON.parse(text)
  } catch (error) {
    throw new Problem('bad_input', `${file} is not ${isYaml ? 'YAML' : 'JSON'}: ${messageOf(error)}`, { cause: error })
  }
}

interface ChangedStep {
  path: (string | number)[]
  prompt: unknown
  agentRole: unknown
}

/** The steps whose prompt is another than before, with where they are. */
function changedSteps(was: unknown, now: unknown, path: ChangedStep['path'] = []): ChangedStep[] {
  if (Array.isArray(was) && Array.isArray(now)) return now.flatMap((item, at) => changedSteps(was[at], item, [...path, at]))
  if (!isRecord(was) || !isRecord(now)) return []
  if (was['prompt'] !== now['prompt']) return [{ path, prompt: now['prompt'], agentRole: now['agentRole'] }]
  return ['steps', 'body'].flatMap((key) => changedSteps(was[key], now[key], [...path, key]))
}

/** Writes the two texts where the prompt was, and leaves every other character of the file as it is. JSON is read as the YAML it also is. */
function withSteps(yaml: Yaml, text: string, steps: readonly ChangedStep[]): string {
  if (steps.length === 0) return text
  const document = yaml.parseDocument(text)
  const places = steps.map((step) => ({ step, ...placeOf(yaml, document, step.path) })).toSorted((a, b) => b.from - a.from)
  return places.reduce((fresh, { step: { prompt, agentRole }, from, to, flow }) => {
    const written = flow ? inFlow(text, from, prompt, agentRole) : inBlock(yaml, text, { from, to }, { prompt, agentRole })
    return fresh.slice(0, from) + written + fresh.slice(to)
  }, text)
}

/** From where to where the prompt of a step is written, its name included. */
function placeOf(yaml: Yaml, document: Document, path: ChangedStep['path']): { from: number; to: number; flow: boolean } {
  const map = document.getIn(path, true)
  const pair = yaml.isMap(map)
    ? (map as YAMLMap<Node, Node>).items.find(({ key }) => yaml.isScalar(key) && key.value === 'prompt')
    : undefined // of a parsed document
  const [from] = pair?.key.range ?? []
  const [, to] = pair?.value?.range ?? []
  if (from === undefined || to === undefined) throw new Problem('internal', `the prompt of ${path.join('.')} was not found in the text`)
  return { from, to, flow: yaml.isMap(map) && map.flow === true }
}

function inFlow(text: string, from: number, prompt: unknown, agentRole: unknown): string {
  const line = text.slice(text.lastIndexOf('\n', from - 1) + 1, from)
  const between = line.trim() === '' ? `\n${line}` : ' '
  return `"prompt": ${JSON.stringify(prompt)},${between}"agentRole": ${JSON.stringify(agentRole)}`
}

function inBlock(yaml: Yaml, text: string, { from, to }: { from: number; to: number }, fields: object): string {
  const column = from - (text.lastIndexOf('\n', from - 1) + 1)
  const [first = '', ...others] = yaml.stringify(fields, { lineWidth: 0 }).trimEnd().split('\n')
  const lines = [first, ...others.map((line) => (line === '' ? line : `${' '.repeat(column)}${line}`))]
  return lines.join('\n') + (text.slice(from, to).endsWith('\n') ? '\n' : '')
}
