import type { Command } from 'commander'
import { parsedJson } from '../../domain/text/json-in-text.ts'
import { Problem } from '../../domain/problem.ts'
import { isRecord } from '../../domain/text/unknown-value.ts'
import type { NextAnswer } from '../../domain/workflow/answer.ts'
import { advanceRun } from '../../workflows/advance.ts'
import { nextStep } from '../../workflows/next.ts'
import { listPlays, playOf } from '../../workflows/play/view.ts'
import { runView } from '../../workflows/runs.ts'
import { startWorkflowRun } from '../../workflows/start.ts'
import { print, printJson, printResult } from '../terminal.ts'
import { openWorkflowServices, type WorkflowServices } from './services.ts'
import { nextAnswerText, runsText, runText } from './text.ts'

interface Options {
  json?: boolean
  context?: string
  completed?: string[]
  output?: string
  confirmation?: string
}

/** The verbs that ask for steps and look at runs. They print what people may see; agents are served over MCP. */
export function defineRunVerbs(workflow: Command): void {
  workflow
    .command('next')
    .description('show the next step of a workflow, or hand in the output of a run and show what follows')
    .argument('<id-or-run>', 'a workflow id, or the handle of a run')
    .option('--completed <keys...>', 'the steps done so far (without a run)')
    .option('--context <json>', 'variables that conditions test')
    .option('--output <text>', 'what came of the open step (with a run)')
    .option('--confirmation <code>', 'the code that confirms the output (with a run)')
    .action(withServices(next))
  workflow
    .command('start <id>')
    .description('start a durable run and show its first step')
    .option('--context <json>', 'variables that conditions test')
    .action(withServices(start))
  workflow
    .command('runs [run]')
    .description('list the runs, or show one with its steps and the code that confirms the open one')
    .action(withServices(runs))
}

async function next(services: WorkflowServices, id: string, { completed, context, output, confirmation, json }: Options): Promise<void> {
  if (id.startsWith('wf_')) {
    const answer = await advanceRun(
      await services.store(),
      { run: id, output, confirmation, context: contextFrom(context) },
      services.now(),
    )
    return show(answer, answer.run, json)
  }
  const { workflow } = await services.catalogue.find(id)
  show(nextStep(workflow, completed ?? [], contextFrom(context) ?? {}), null, json)
}

async function start(services: WorkflowServices, id: string, { context, json }: Options): Promise<void> {
  const entry = await services.catalogue.find(id)
  const answer = await startWorkflowRun(await services.store(), entry, contextFrom(context) ?? {}, services.now())
  show(answer, answer.run, json)
}

async function runs(services: WorkflowServices, id: string | undefined, { json }: Options): Promise<void> {
  const store = await services.store()
  if (id === undefined) {
    const found = await listPlays(store)
    return printResult(json, { runs: found }, runsText(found))
  }
  const [runId = id] = id.split('.')
  const run = { ...(await runView(store, runId)), play: await playOf(store, runId) }
  return printResult(json, run, runText(run))
}

/** Everything but the agent's side. */
function show(answer: NextAnswer, run: string | null, json = false): void {
  const { status, user, missing, issues } = answer
  if (json) return printJson({ status, ...user, missing, issues, run })
  print(nextAnswerText(answer))
  if (run !== null) print(`\nrun: ${run}`)
}

/** The value of `--context`. */
export function contextFrom(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  const value = parsedJson(text)
  if (isRecord(value)) return value
  throw new Problem('bad_input', `--context is ${text.slice(0, 60)}; expected a JSON object such as '{"size": "large"}'`)
}

function withServices<Name extends string | undefined>(run: (services: WorkflowServices, name: Name, options: Options) => Promise<void>) {
  return async (name: Name, _: unknown, command: Command): Promise<void> => {
    const services = await openWorkflowServices()
    try {
      await run(services, name, command.optsWithGlobals<Options>())
    } finally {
      await services.close()
    }
  }
}
