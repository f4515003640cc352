import { resolve } from 'node:path'
import type { Command } from 'commander'
import { loadConfig } from '../../config/load.ts'
import { roleFolders } from '../../config/wiring.ts'
import { counted } from '../../domain/text/counted.ts'
import { Problem } from '../../domain/problem.ts'
import type { WorkflowFault } from '../../domain/workflow/faults.ts'
import { workflowJsonSchema } from '../../domain/workflow/workflow.ts'
import { workflowUserView } from '../../domain/workflow/view.ts'
import { listedWorkflows } from '../../workflows/list.ts'
import { migrateFile } from '../../workflows/migrate-file.ts'
import { faultLine, readWorkflow } from '../../workflows/read.ts'
import { readText, writeText } from '../named-file.ts'
import { print, printJson, printResult, say } from '../terminal.ts'
import { verb } from '../verb.ts'
import { definePlayVerbs } from './run.ts'
import { defineRunVerbs } from './runs.ts'
import { openWorkflowServices } from './services.ts'
import { listText, refusedText, workflowText } from './text.ts'

/** `troupe workflow list | show | validate | schema | new | migrate | next | start | runs | run | stop` */
export function define(workflow: Command): void {
  workflow.command('list').description('list the workflows of this project, and the files that were refused').action(verb(list))
  workflow.command('show <id>').description('show a workflow as people see it').action(verb(show))
  workflow.command('validate <files...>').description('check workflow files').action(verb(validate))
  workflow
    .command('schema')
    .description('print the JSON Schema of workflow files')
    .action(verb(async () => printJson(workflowJsonSchema())))
  workflow.command('new <id>').description('write a first draft to .troupe/workflows').action(verb(create))
  workflow
    .command('migrate <file>')
    .description('move roles out of the prompts of an old file into agentRole; shows the difference')
    .option('--write', 'write the file')
    .action(verb(migrate))
  defineRunVerbs(workflow)
  definePlayVerbs(workflow)
}

async function list(json: boolean): Promise<void> {
  const { catalogue } = await openWorkflowServices()
  const listed = listedWorkflows(await catalogue.read())
  if (json) return printJson(listed)
  print(listText(listed))
  if (listed.refused.length > 0) say(refusedText(listed.refused))
}

async function show(json: boolean, id: string): Promise<void> {
  const { catalogue } = await openWorkflowServices()
  const shown = workflowUserView((await catalogue.find(id)).workflow)
  printResult(json, shown, workflowText(shown))
}

async function validate(json: boolean, files: string[]): Promise<void> {
  const { catalogue } = await openWorkflowServices()
  const { refused } = await catalogue.read()
  const faults = (await Promise.all(files.map((file) => faultsOf(file, refused)))).flat()
  if (faults.length > 0) {
    if (!json) for (const fault of faults) print(faultLine(fault))
    throw new Problem('bad_input', `${counted(faults.length, 'fault')} in workflow files`, { details: { faults } })
  }
  const warnings = (await Promise.all(files.map(warningsOf))).flat()
  for (const warning of warnings) if (!json) say(`warning: ${faultLine(warning)}`)
  printResult(json, { valid: true, files, warnings }, `Good: ${files.join(', ')}`)
}

/** What its author probably did not mean. */
async function warningsOf(file: string): Promise<readonly WorkflowFault[]> {
  const { workflowWarnings } = await import('../../workflows/warnings.ts')
  const text = await textOf(file)
  const read = await readWorkflow(text, file)
  return 'faults' in read ? [] : workflowWarnings(read.workflow, text, file)
}

/** What is wrong with a file by itself, or else with its place among the others. */
async function faultsOf(file: string, refused: readonly WorkflowFault[]): Promise<readonly WorkflowFault[]> {
  const read = await readWorkflow(await textOf(file), file, rolesHere)
  return 'faults' in read ? read.faults : refused.filter((fault) => fault.file === resolve(file))
}

async function rolesHere(): Promise<readonly string[]> {
  const { loadRoles } = await import('../../roles/load.ts')
  const folder = process.cwd()
  return (await loadRoles(roleFolders(await loadConfig({ env: process.env, cwd: folder }), folder))).ids
}

async function create(json: boolean, id: string): Promise<void> {
  const { createProjectFile } = await import('../../workflows/project-file.ts')
  const { catalogue } = await openWorkflowServices()
  const { name } = await createProjectFile(process.cwd(), catalogue, id, null)
  const file = `.troupe/workflows/${name}`
  printResult(json, { file }, `Written: ${file}`)
}

async function migrate(json: boolean, file: string, { write }: { write?: boolean }): Promise<void> {
  const migrated = await migrateFile(file, await textOf(file))
  if (write && migrated.changed) await writeText(file, migrated.text)
  if (json) return printJson({ ...migrated, written: write === true && migrated.changed })
  if (migrated.changed) print(migrated.diff)
  for (const { step, note } of migrated.notes) say(`${step}: ${note}`)
  if (!migrated.changed) return say(`Nothing to move: no prompt of ${file} holds a role that can be moved.`)
  say(write ? `Written: ${file}` : 'Nothing was written; add --write to do it.')
}

function textOf(file: string): Promise<string> {
  return readText(file, 'name a workflow file')
}
