import { resolve } from 'node:path'
import type { Command } from 'commander'
import { answerQuestion } from '../agent/answer.ts'
import { agentFrom, modelFor } from '../config/open-agent.ts'
import { newId } from '../domain/id.ts'
import { Problem, problems } from '../domain/problem.ts'
import { projectInstructions } from '../roles/project-instructions.ts'
import type { Driver } from '../store/driver.ts'
import { questions, workflowRuns } from '../store/tables.ts'
import { findWorkflow, openCatalogue, workflowFolders } from '../workflows/catalogue.ts'
import { playWorkflow, type PlayEnd, type PlayStage, runIdOf } from '../workflows/play.ts'
import { startRun } from '../workflows/start.ts'
import { openParts } from './open-parts.ts'
import { limitsFrom } from './run-options.ts'
import { runPrinter } from './run-printer.ts'
import { stopSignal } from './stop-signal.ts'
import { paint, print, printJson, say } from './terminal.ts'

interface PlayOptions {
  role: string
  model?: string
  maxTurns?: string
  maxBudgetUsd?: string
  resume?: string
  answer?: string
  answerText?: string
  json?: boolean
}

/** `troupe workflow run ID`: Troupe's own agent carries the workflow out. */
export function definePlayVerb(workflow: Command): void {
  workflow
    .command('run')
    .description("have Troupe's own agent carry out a workflow, step by step")
    .argument('[id]', 'the workflow; not needed with --resume')
    .option('--role <id>', 'the role for steps that name none', 'actor')
    .option('--model <name>', 'provider/model, agent/NAME, scripted:FILE or rehearsal')
    .option('--max-turns <number>', 'refuse further requests to the model after so many, for each step')
    .option('--max-budget-usd <dollars>', 'refuse further requests once so much is spent, for each step')
    .option('--resume <run>', 'carry on a run that was interrupted or waits')
    .option('--answer <value>', 'answer the question the resumed run waits for: confirm, send_back, or the value of an option')
    .option('--answer-text <words>', 'answer it in your own words')
    .action(async (id: string | undefined, _: unknown, command: Command) => {
      process.exitCode = await playHere(id, command.optsWithGlobals<PlayOptions>())
    })
}

async function playHere(id: string | undefined, options: PlayOptions): Promise<number> {
  const stopping = stopSignal()
  const workspace = resolve('.')
  const parts = await openParts(workspace)
  const { driver } = parts
  try {
    const printer = runPrinter('text', driver)
    const agent = { ...agentFrom({ ...parts, onEvent: printer.onEvent }), sections: { project: projectInstructions(workspace) } }
    const stage: PlayStage = {
      agent,
      modelOf: (role) => modelFor(parts, role, options.model ?? null),
      limits: { ...parts.loaded.config.limits, ...limitsFrom(options) },
      onStep: ({ title, progress: { position, of } }) => say(paint('bold', `${position}/${of} ${title}`, process.stderr)),
    }
    const runId = options.resume === undefined ? await begin(stage, id, options.role, workspace) : await takeUp(driver, options)
    return await tell(driver, await playWorkflow(stage, runId, stopping), options.json === true)
  } finally {
    await driver.close()
  }
}

async function begin({ agent }: PlayStage, id: string | undefined, role: string, workspace: string): Promise<string> {
  if (id === undefined) throw new Problem('bad_input', 'name a workflow, or a run with --resume; troupe workflow list shows the workflows')
  const entry = findWorkflow(await openCatalogue(workflowFolders(workspace)).read(), id)
  const now = agent.now()
  const nothing = { position: 0, agent_run_id: null, question_id: null, sent_back: 0, feedback: '' }
  const how = { agent_role: agent.roles.need(role).id, workspace, thread_id: newId('thread', now), ...nothing }
  return runIdOf((await startRun(agent.driver, entry, {}, now, how)).run)
}

async function takeUp(driver: Driver, { resume = '', answer, answerText }: PlayOptions): Promise<string> {
  const runId = runIdOf(resume)
  if (answer === undefined && answerText === undefined) return runId
  const { play } = (await workflowRuns.get(driver, runId)).item
  const asked = await questions.list(driver, { where: { thread_id: play?.thread_id ?? '', status: 'pending' } })
  const question = asked[0]?.item
  if (question === undefined) throw new Problem('bad_input', `the run ${runId} waits for no answer`)
  await answerQuestion(driver, question.id, { value: answer, text: answerText }, 'user', new Date())
  return runId
}

async function tell(driver: Driver, end: PlayEnd, json: boolean): Promise<number> {
  const question = end.status === 'waiting' ? (await questions.get(driver, end.question_id)).item : null
  if (json) printJson({ ...end, question: question?.content ?? null })
  else if (question !== null) print(`${question.content.question}\n\n${question.content.context}`)
  else if (end.status === 'completed') print('The workflow is complete.')
  const again = `troupe workflow run --resume ${end.run}`
  if (question !== null)
    say(`Answer with: ${again} --answer ${question.content.options.map(({ value }) => value).join('|')} [--answer-text …]`)
  if (end.status === 'stuck') say(`It cannot go on by itself: ${end.reason}. Try again with: ${again}`)
  if (end.status === 'completed') return 0
  return problems[end.status === 'waiting' ? 'needs_person' : 'turn_limit'].exit
}
