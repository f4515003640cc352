import { resolve } from 'node:path'
import { exitCodeOf } from '../../agent/run/end.ts'
import type { ProcessContext, FolderContext } from '../../agent/folder-context.ts'
import { Problem } from '../../domain/problem.ts'
import type { Question } from '../../domain/question.ts'
import type { LimitsChange } from '../../domain/run.ts'
import { isRecord } from '../../domain/text/unknown-value.ts'
import type { WorkflowPlay } from '../../domain/workflow/play.ts'
import type { Driver } from '../../store/driver.ts'
import { workflowPlays, workflowRuns } from '../../store/tables.ts'
import { openCatalogue, workflowFolders } from '../../workflows/files/catalogue.ts'
import { runIdOf, writeHandle } from '../../workflows/handle.ts'
import { answerPlay } from '../../workflows/play/answer.ts'
import { STOP_ANSWER, waitingQuestion } from '../../workflows/play/question.ts'
import { openPlayContext, type PlayNews, type PlayContext } from '../../workflows/play/context.ts'
import { startPlay } from '../../workflows/play/start.ts'
import { playWorkflow } from '../../workflows/play/play.ts'
import { runView } from '../../workflows/runs.ts'
import { readDocument } from '../read-document.ts'
import { processContext } from '../open/process-context.ts'
import { openToPlay } from '../open/parts.ts'
import { limitsFrom } from '../run/options.ts'
import { answersTo, askedText } from '../run/printer.ts'
import { spinner } from '../spinner.ts'
import { stopSignal } from '../stop-signal.ts'
import { paint, print, printJson, rehearsalNotice, say, shown } from '../terminal.ts'
import type { PlayOptions } from './workflow.ts'

/** Plays a workflow in this process, and gives back the exit code that tells how it ended. */
export async function playHere(id: string | undefined, options: PlayOptions): Promise<number> {
  const stopping = stopSignal()
  const limits = limitsFrom(options)
  const workspace = resolve(options.cwd ?? '.')
  const parts = await openToPlay(workspace)
  const { driver } = parts
  try {
    const context = processContext(parts, workspace, () => undefined)
    const waiting = spinner()
    const stage = openPlayContext(withModel(context, options.model), (news) => {
      waiting.rest()
      tellNews(news, options.json === true)
      waiting.wait(news.type === 'begins' ? 'working' : 'going on')
    })
    const runId = options.resume === undefined ? await begin(stage, id, options, workspace, limits) : await takeUp(driver, options)
    const play = await playWorkflow(stage, runId, stopping, limits).finally(waiting.rest)
    await tellEnd(driver, play, options.json === true)
    return codeOf(play)
  } finally {
    await driver.close()
  }
}

async function begin(
  stage: PlayContext,
  id: string | undefined,
  options: PlayOptions,
  workspace: string,
  limits: LimitsChange,
): Promise<string> {
  if (id === undefined)
    throw new Problem('bad_input', 'name a workflow, or a run with --resume', { next: [{ operation: 'workflow.list' }] })
  const entry = await openCatalogue(workflowFolders(workspace)).find(id)
  const { role: agent_role, model, context } = options
  const play = await startPlay(stage, entry, { workspace, agent_role, model, context: await contextFrom(context), limits })
  if (stage.modelFor(play.agent_role, null) === 'rehearsal') say(rehearsalNotice)
  return play.id
}

/** The model that is named now goes before the one a run was started with. */
function withModel({ at, ...here }: ProcessContext, model: string | undefined): ProcessContext {
  const played = <Any extends FolderContext>(place: Any): Any => ({
    ...place,
    modelFor: (role, chosen) => place.modelFor(role, model ?? chosen),
  })
  return { ...played(here), at: async (folder) => played(await at(folder)) }
}

async function takeUp(driver: Driver, { resume = '', answer, answerText }: PlayOptions): Promise<string> {
  const runId = runIdOf(resume)
  await refuseByHand(driver, runId)
  if (answer !== undefined || answerText !== undefined)
    await answerPlay(driver, runId, { value: answer, text: answerText }, 'user', new Date())
  return runId
}

/** A run that was started by hand is there, but nobody plays it. */
async function refuseByHand(driver: Driver, runId: string): Promise<void> {
  const run = await workflowRuns.find(driver, runId)
  if (run === null || (await workflowPlays.find(driver, runId)) !== null) return
  throw new Problem('bad_input', `the run ${runId} was started by hand, so Troupe does not play it; hand in its open step yourself`, {
    next: [{ operation: 'workflow.advance', input: { run: writeHandle(run.item), output: 'OUTPUT' } }],
  })
}

/** The value of `--context`. */
async function contextFrom(text: string | undefined): Promise<Record<string, unknown> | undefined> {
  if (text === undefined) return undefined
  const value = await readDocument(text)
  if (isRecord(value)) return value
  throw new Problem('bad_input', `--context is ${text.slice(0, 60)}; expected a JSON object such as '{"size": "large"}'`)
}

/** Steps on stderr as they go; what came of each on stdout, unless one JSON result is wanted. */
function tellNews(news: PlayNews, json: boolean): void {
  if (news.type === 'begins') {
    const { progress, capped, agent_role } = news
    say(paint('bold', `${progress === null ? '' : `${progress.position}/${progress.of} `}${shown(news.title)}`, process.stderr))
    if (capped.length > 0) say(`  ${agent_role} is capped by the role you chose; without ${capped.join(', ')}`)
  }
  if (news.type === 'refused') say(`  not accepted: ${shown(news.issues.join('; '))}`)
  // On a terminal the title is there already, from stderr.
  const title = process.stdout.isTTY && process.stderr.isTTY ? '' : `${paint('bold', shown(news.title))}\n`
  if (news.type === 'done' && !json) print(`${title}${shown(news.output)}\n`)
}

async function tellEnd(driver: Driver, play: WorkflowPlay, json: boolean): Promise<void> {
  const question = play.status === 'waiting' ? await waitingQuestion(driver, play.id) : null
  if (json) printJson(await resultOf(driver, play, question))
  else if (question !== null) print(askedText(question))
  else if (play.status === 'completed') print('The workflow is complete.')
  const again = `troupe workflow run --resume ${play.id}`
  if (question !== null) say(`Answer with: ${again} ${answerOptions(question)}`)
  if (play.status === 'failed' || play.status === 'stopped') say(`Ended: ${play.message ?? play.status}. Continue with: ${again}`)
}

/** Where nothing can be chosen but to stop, words are the answer: whoever typed both would have stopped it. */
function answerOptions(question: Question): string {
  const values = answersTo(question)
  return values === STOP_ANSWER ? `--answer-text …   (or stop it with --answer ${STOP_ANSWER})` : `--answer ${values} [--answer-text …]`
}

async function resultOf(driver: Driver, play: WorkflowPlay, question: Question | null) {
  const { steps, workflow_id } = await runView(driver, play.id)
  const { id: run, status, reason, message } = play
  return { run, workflow_id, status, reason, message, exit_code: codeOf(play), steps, question: question?.content ?? null }
}

function codeOf({ status, reason }: WorkflowPlay): number {
  return exitCodeOf({ status: status === 'playing' ? 'running' : status, reason })
}
