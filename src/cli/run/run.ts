import { resolve } from 'node:path'
import { buffer as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { AgentContext } from '../../agent/agent.ts'
import { answerRun } from '../../agent/resume-operation.ts'
import { exitCodeOf } from '../../agent/run/end.ts'
import { playRun } from '../../agent/loop.ts'
import { resumeRun } from '../../agent/run/resume.ts'
import { startRun } from '../../agent/run/start.ts'
import { serverNotices } from '../../config/mcp/notices.ts'
import { agentFrom, modelFor } from '../../config/open-agent.ts'
import { Problem } from '../../domain/problem.ts'
import { promptText } from '../../domain/text/prompt-text.ts'
import type { Reasoning } from '../../domain/reasoning.ts'
import type { Limits, Run } from '../../domain/run.ts'
import type { Stored } from '../../store/collection.ts'
import { attachedFile } from '../attached-file.ts'
import { runs } from '../../store/run-tables.ts'
import { needTool } from '../../tools/all.ts'
import { combineApprovals, parseApprove } from '../../tools/approvals.ts'
import { openToPlay } from '../open/parts.ts'
import { limitsFrom, outputFormat, reasoningOption, type OutputFormat } from './options.ts'
import { runPrinter } from './printer.ts'
import { spinner } from '../spinner.ts'
import { stopSignal } from '../stop-signal.ts'
import { rehearsalNotice, say } from '../terminal.ts'

export interface RunCommandOptions {
  role?: string
  model?: string
  reasoning?: Reasoning
  attach: string[]
  cwd?: string
  outputFormat: OutputFormat
  maxTurns?: string
  maxBudgetUsd?: string
  approve?: string
  resume?: string
  answer?: string
  answerText?: string
  question?: string
  json?: boolean
}

/** `troupe run "PROMPT"`: one run without a person beside it. */
export function define(run: Command): void {
  run
    .argument('[prompt]', 'what to do; - reads it from standard input')
    .option('--role <id>', 'the role that does it (actor)')
    .option('--model <name>', 'provider/model, agent/NAME, scripted:FILE or rehearsal')
    .addOption(reasoningOption())
    .option('--attach <file>', 'show the model an image or a PDF; can be repeated', (file, all: string[]) => [...all, file], [])
    .option('--cwd <folder>', 'the workspace; this folder when left out')
    .option('--output-format <form>', 'text, json or stream-json', outputFormat, 'text')
    .option('--max-turns <number>', 'stop after this many requests to the model')
    .option('--max-budget-usd <dollars>', 'stop once this much is spent')
    .option('--approve <how>', 'ask, never, or TOOL=allow|ask|deny separated by commas')
    .option('--resume <run>', 'continue a run that was interrupted or is waiting; with a prompt, add to its thread')
    .option('--answer <value>', 'answer the question of the resumed run with this option')
    .option('--answer-text <words>', 'answer it in your own words')
    .option('--question <id>', 'which question to answer when there are several')
    .action(async (prompt: string | undefined, _options: unknown, command: Command) => {
      process.exitCode = await runOnce(prompt, command.optsWithGlobals<RunCommandOptions>())
    })
}

async function runOnce(prompt: string | undefined, options: RunCommandOptions): Promise<number> {
  const stopping = stopSignal()
  const limits = limitsFrom(options)
  const approvals = options.approve === undefined ? null : parseApprove(options.approve)
  for (const name of Object.keys(approvals?.tools ?? {})) needTool(name, '--approve')
  const workspace = resolve(options.cwd ?? '.')
  const parts = await openToPlay(workspace)
  const { driver, loaded } = parts
  for (const notice of serverNotices(loaded, process.env)) say(notice)
  try {
    const printer = runPrinter(options.json === true ? 'json' : options.outputFormat, driver, spinner())
    const base = agentFrom({ ...parts, onEvent: printer.onEvent })
    const agent: AgentContext = approvals ? { ...base, approvals: combineApprovals(base.approvals, approvals) } : base
    const modelOf = (role: string) => modelFor(parts, role, options.model ?? null)
    if (options.resume !== undefined && prompt === undefined) {
      const { item: before } = await runs.get(driver, options.resume)
      const { answer: value, answerText: text, question } = options
      if (await answerRun(agent, before, { value, text }, question)) {
        const { item: still } = await runs.get(driver, before.id)
        return await printer.end(still).then(() => exitCodeOf(still))
      }
    }
    const held = await takeUp(agent, prompt, { ...options, workspace, modelOf, limits, usual: loaded.config.limits })
    if (held.item.model === 'rehearsal') say(rehearsalNotice)
    printer.follow(held.item.id)
    const run = await playRun(agent, held, stopping).finally(printer.rest)
    await printer.end(run)
    return exitCodeOf(run)
  } finally {
    await driver.close()
  }
}

type Wanted = Pick<RunCommandOptions, 'role' | 'resume' | 'reasoning' | 'attach'> & {
  workspace: string
  modelOf: (role: string) => string
  limits: Partial<Limits>
  usual: Limits
}

/** The run that is to be played: the one that is resumed, or a new one. */
async function takeUp(agent: AgentContext, prompt: string | undefined, wanted: Wanted): Promise<Stored<Run>> {
  const { role, resume, reasoning, attach, workspace, modelOf, limits, usual } = wanted
  const before = resume === undefined ? null : (await runs.get(agent.driver, resume)).item
  if (before && prompt === undefined) return resumeRun(agent, before.id, limits)
  const agent_role = role === undefined ? (before?.agent_role ?? 'actor') : agent.roles.need(role).id
  return startRun(agent, {
    agent_role,
    model: before?.model ?? modelOf(agent_role),
    workspace: before?.workspace ?? workspace,
    prompt: await wordsOf(prompt),
    attachments: await Promise.all(attach.map(attachedFile)),
    limits: { ...usual, ...limits },
    reasoning: reasoning ?? before?.reasoning ?? null,
    ...(before && { thread_id: before.thread_id }),
  })
}

async function wordsOf(prompt: string | undefined): Promise<string> {
  const text = promptText(prompt === '-' ? await readAll(process.stdin) : (prompt ?? ''))
  if (text.trim() !== '') return text
  throw new Problem('bad_input', 'troupe run needs a prompt: troupe run "what to do", or - to read it from standard input')
}
