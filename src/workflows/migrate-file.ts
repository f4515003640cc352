import { messageOf, Problem } from '../domain/problem.ts'
import { migrateWorkflow, type MigrationNote } from './migrate.ts'

/** A file brought up to date: its new text, what changed, and what a person has to do by hand. */
export interface MigratedFile {
  text: string
  changed: boolean
  diff: string
  notes: MigrationNote[]
}

/** Brings the text of a workflow file up to date. Nothing is written: whoever asked decides. */
export async function migrateFile(file: string, text: string): Promise<MigratedFile> {
  const yaml = /\.ya?ml$/.test(file)
  const { value, notes } = migrateWorkflow(await parsed(file, text, yaml))
  const fresh = yaml ? await asYaml(value) : `${JSON.stringify(value, null, indentOf(text))}\n`
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

async function asYaml(value: unknown): Promise<string> {
  return (await import('yaml')).stringify(value, { lineWidth: 0 })
}

function indentOf(text: string): number {
  return /\n( +)"/.exec(text)?.[1]?.length ?? 2
}
