import { resolve } from 'node:path'
import type { Command } from 'commander'
import { counted } from '../../domain/text/format.ts'
import { Problem } from '../../domain/problem.ts'
import { checkWorkflow } from '../../workflows/files/check.ts'
import { migrateFile } from '../../workflows/files/migrate-file.ts'
import { workflowOperations } from '../../workflows/operations.ts'
import { faultLine } from '../../workflows/files/read.ts'
import { readText, writeText } from '../named-file.ts'
import { addCommands, type CommandArea } from '../operation-commands.ts'
import { print, printJson, printResult, say } from '../terminal.ts'
import { verb } from '../verb.ts'
import { openWorkflowServices } from './services.ts'
import { listText, nextStepText, refusedText, runsText, runText, workflowText } from './text.ts'
import { dryRun } from '../../store/dry-run.ts'
import type { WorkflowContext } from '../../workflows/context.ts'
import type { RunCommandOptions } from '../run/run.ts'

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

/** The workflows and runs of this folder, for the person at the terminal. */
const workflowArea: CommandArea<WorkflowContext> = {
  addOptions: () => undefined,
  async within({ dryRun: isTried }, _operation, work) {
    const services = await openWorkflowServices()
    try {
      return isTried === true
        ? await dryRun(await services.store(), (tx) => work({ ...services, store: async () => tx }))
        : await work(services)
    } finally {
      await services.close()
    }
  },
}

/** What it takes. */
export interface PlayOptions extends Omit<RunCommandOptions, 'outputFormat' | 'approve'> {
  context?: string
}

/** `troupe workflow run ID`. What it needs is loaded when it is used: the other verbs start without it. */
function definePlayVerb(workflow: Command): void {
  workflow
    .command('run')
    .description("play a workflow with Troupe's own agent, step by step")
    .argument('[id]', 'the workflow; not needed with --resume')
    .option('--role <id>', 'the role to act in; no step gets more rights than it has (actor)')
    .option('--model <name>', 'provider/model, agent/NAME, scripted:FILE or rehearsal')
    .option('--cwd <folder>', 'the folder to work in; this one when left out')
    .option('--context <json>', 'variables that conditions test')
    .option('--max-turns <number>', 'stop a step after this many requests to the model')
    .option('--max-budget-usd <dollars>', 'stop once the workflow has spent this much')
    .option('--resume <run>', 'continue a run that was interrupted, was stopped or is waiting')
    .option('--answer <value>', 'answer its question: confirm, send_back, stop, or the value of an option')
    .option('--answer-text <words>', 'answer it in your own words')
    .action(async (id: string | undefined, _: unknown, command: Command) => {
      const { playHere } = await import('./player.ts')
      process.exitCode = await playHere(id, command.optsWithGlobals<PlayOptions>())
    })
}
