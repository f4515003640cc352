import { resolve } from 'node:path'
import type { Command } from 'commander'
import { counted } from '../../domain/text/counted.ts'
import { Problem } from '../../domain/problem.ts'
import { checkWorkflow } from '../../workflows/files/check.ts'
import { migrateFile } from '../../workflows/files/migrate-file.ts'
import { workflowOperations } from '../../workflows/operations.ts'
import { faultLine } from '../../workflows/files/read.ts'
import { readText, writeText } from '../named-file.ts'
import { addCommands } from '../operation-commands.ts'
import { print, printJson, printResult, say } from '../terminal.ts'
import { verb } from '../verb.ts'
import { workflowArea } from './area.ts'
import { definePlayVerb } from './run.ts'
import { openWorkflowServices } from './services.ts'
import { listText, nextStepText, refusedText, runsText, runText, workflowText } from './text.ts'

/** `troupe workflow`: the operations on workflows, and what only a terminal does: check and migrate files by name, and play in the foreground. */
export function define(workflow: Command): void {
  const showStep = { print: nextStepText }
  addCommands(workflow, workflowOperations, workflowArea, {
    'workflow.list': {
      print: (listed) => {
        if (listed.refused.length > 0) say(refusedText(listed.refused))
        return listText(listed)
      },
    },
    'workflow.show': { print: ({ workflow: shown }) => workflowText(shown) },
    'workflow.schema': { print: ({ schema }) => JSON.stringify(schema, null, 2) },
    'workflow.start': showStep,
    'workflow.next': showStep,
    'workflow.advance': showStep,
    'workflow.list_runs': { print: ({ runs }) => runsText(runs) },
    'workflow.show_run': { print: runText },
  })
  workflow.command('validate <files...>').description('check workflow files').action(verb(validate))
  workflow
    .command('migrate <file>')
    .description('move roles out of the prompts of an old file into agentRole; shows the difference')
    .option('--write', 'write the file')
    .action(verb(migrate))
  definePlayVerb(workflow)
}

async function validate(json: boolean, files: string[]): Promise<void> {
  const services = await openWorkflowServices()
  const { refused } = await services.catalogue.read()
  const checked = await Promise.all(
    files.map(async (file) => {
      const { faults, warnings } = await checkWorkflow(services, await textOf(file), file)
      // One that is good by itself may still have no place among the others.
      return { faults: faults.length > 0 ? faults : refused.filter((fault) => fault.file === resolve(file)), warnings }
    }),
  )
  const faults = checked.flatMap((each) => each.faults)
  if (faults.length > 0) {
    if (!json) for (const fault of faults) print(faultLine(fault))
    throw new Problem('bad_input', `${counted(faults.length, 'fault')} in workflow files`, { details: { faults } })
  }
  const warnings = checked.flatMap((each) => each.warnings)
  for (const warning of warnings) if (!json) say(`warning: ${faultLine(warning)}`)
  printResult(json, { valid: true, files, warnings }, `Good: ${files.join(', ')}`)
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
