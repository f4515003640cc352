import { messageOf, Problem } from '../domain/problem.ts'
import { isRecord } from '../domain/unknown-value.ts'
import { migrateWorkflow } from './migrate.ts'

/** Brings the text of a workflow file up to date: its new text, what changed, and what a person has to do by hand. Nothing is written: whoever asked decides. */
export async function migrateFile(file: string, text: string) {
  const yaml = /\.ya?ml$/.test(file)
  const was = await parsed(file, text, yaml)
  const { value, notes } = migrateWorkflow(was)
  const fresh = yaml ? await changedYaml(text, was, value) : `${JSON.stringify(value, null, indentOf(text))}\n`
  const { createTwoFilesPatch } = await import('diff')
  return { text: fresh, changed: fresh !== text, diff: createTwoFilesPatch(file, file, text, fresh, 'before', 'after'), notes }
}

async function parsed(file: string, text: string, yaml: boolean): Promise<unknown> {
  try {
    return yaml ? (await import('yaml')).parse(text, { maxAliasCount: 0 }) : JSON.parse(text)
  } catch (error) {
    throw new Problem('bad_input', `${file} is not ${yaml ? 'YAML' : 'JSON'}: ${messageOf(error)}`, { cause: error })
  }
}

/** Only what is another than before is written: the rest keeps its comments and its look. */
async function changedYaml(text: string, was: unknown, value: unknown): Promise<string> {
  const document = (await import('yaml')).parseDocument(text)
  const changes = differences(was, value)
  for (const { path, to } of changes) document.setIn(path, to)
  return changes.length === 0 ? text : document.toString({ lineWidth: 0 })
}

type Change = { path: (string | number)[]; to: unknown }

function differences(was: unknown, value: unknown, path: Change['path'] = []): Change[] {
  if (Array.isArray(was) && Array.isArray(value)) return value.flatMap((item, at) => differences(was[at], item, [...path, at]))
  if (!isRecord(was) || !isRecord(value)) return was === value ? [] : [{ path, to: value }]
  return Object.entries(value).flatMap(([key, item]) => differences(was[key], item, [...path, key]))
}

function indentOf(text: string): number {
  return /\n( +)"/.exec(text)?.[1]?.length ?? 2
}
