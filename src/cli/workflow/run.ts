import type { Command } from 'commander'
import type { RunCommandOptions } from '../run/run.ts'

/** What it takes. */
export interface PlayOptions extends Omit<RunCommandOptions, 'outputFormat' | 'approve'> {
  context?: string
}

/** `troupe workflow run ID`. What it needs is loaded when it is used: the other verbs start without it. */
export function definePlayVerb(workflow: Command): void {
  workflow
    .command('run')
    .description("have Troupe's own agent carry out a workflow, step by step")
    .argument('[id]', 'the workflow; not needed with --resume')
    .option('--role <id>', 'the role to act in; a step that names another gets no more than this one (actor)')
    .option('--model <name>', 'provider/model, agent/NAME, scripted:FILE or rehearsal')
    .option('--cwd <folder>', 'the folder to work in; this one when left out')
    .option('--context <json>', 'variables that conditions test')
    .option('--max-turns <number>', 'refuse further requests to the model after so many, for each step')
    .option('--max-budget-usd <dollars>', 'refuse further requests once the workflow has spent so much')
    .option('--resume <run>', 'carry on a run that was interrupted or stopped, or that waits')
    .option('--answer <value>', 'answer the question it waits for: confirm, send_back, stop, or the value of an option')
    .option('--answer-text <words>', 'answer it in your own words')
    .action(async (id: string | undefined, _: unknown, command: Command) => {
      const { playHere } = await import('./player.ts')
      process.exitCode = await playHere(id, command.optsWithGlobals<PlayOptions>())
    })
}
