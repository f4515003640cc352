import type { ToolCall } from '../domain/entry.ts'
import { instructionsText } from '../roles/instructions/instructions.ts'
import { withoutSecrets } from '../domain/text/mask.ts'
import { changePermissions, readsOnly, type Permission } from '../domain/permission.ts'
import { asProblem, Problem, problemView } from '../domain/problem.ts'
import { isBoundTo, isShown, wantedApproval } from './approvals.ts'
import type { BegunCall } from '../checkpoints/workspace.ts'
import { approvalQuestion, offeredPatterns } from './approval-question.ts'
import type { Decision } from './authorize.ts'
import { bounded } from './bounded.ts'
import { judgeCall, type JudgedCall } from './judge.ts'
import { beginKeeping, lostLine, risksOf, withLost, withRisks } from './keep-files.ts'
import { countOutcome, refusedCall } from './refusal.ts'
import type { CallResult, FoundApproval, GateContext, Previewed, StartedCall } from './tool.ts'
import type { Tool, ToolAnswer, ToolBody, ToolContext, ToolDefinition } from './tool.ts'

/** No answer may be longer, whatever a tool thinks; one runaway output would push the plan out of the model's sight. */
const ANSWER_CHARS = 100_000

/** What tools do. It never leaves this file, so that there is no way to start a tool but through the decision below. */
const bodies = new WeakMap<Tool, ToolBody<unknown>>()

/** Makes a tool. Its body stays with the gate. */
export function defineTool<Input>(definition: ToolDefinition<Input>): Tool<Input> {
  const { name, description, required_permissions, roles, mode, network, input } = definition
  const tool: Tool<Input> = Object.freeze({
    name,
    description,
    required_permissions: Object.freeze([...required_permissions]),
    read_only: readsOnly(required_permissions),
    ...(roles && { roles }),
    ...(mode && { mode }),
    ...(network && { network }),
    input,
    paths: (parsed: Input) => definition.paths?.(parsed) ?? [],
    commandOf: (parsed: Input) => definition.commandOf?.(parsed) ?? null,
    links: definition.links ?? 'follow',
    changes: definition.changes ?? changedBy(required_permissions),
    asks: (parsed?: Input) => whyAsked(definition, parsed),
  })
  bodies.set(tool, definition)
  return tool
}

/** Of a tool that does not say so, everything it has leave for is expected. */
function changedBy(needed: readonly Permission[]): Tool['changes'] {
  return changePermissions.some((permission) => needed.includes(permission)) ? 'workspace' : null
}

/** What is asked about only with certain arguments is offered like any other tool. */
function whyAsked<Input>({ name, asks }: ToolDefinition<Input>, input: Input | undefined): string | null {
  if (typeof asks === 'function') return input === undefined ? null : asks(input)
  if (typeof asks === 'string') return asks
  return asks === true ? `${name} needs your approval: the plan does not mention it, and no setting allows it` : null
}

/** The only way to run a tool: decide, get leave where it is needed, record the start, run, answer. */
export async function callTool(context: GateContext, call: ToolCall): Promise<CallResult> {
  const { shows, ...result } = await decideAndRun(context, call)
  const ends_turn = countOutcome(context.denials, call, result.outcome)
  return { ...withoutSecrets({ ...result, ends_turn }, context.secrets ?? []), ...(shows && { shows }) }
}

async function decideAndRun(context: GateContext, call: ToolCall): Promise<CallResult> {
  const { decision, call: judged } = await judgeCall(context, call)
  if (judged === null) return refusedCall(context, call, decision)
  const work = workOf(context, call, judged)
  const previewed = await attempt(work.preview)
  if (previewed instanceof Problem) return failed(context, decision, previewed)
  const begun = await attempt(() => beginKeeping(context, call, judged))
  if (begun instanceof Problem) return failed(context, decision, begun)
  const risks = risksOf(begun, judged)
  const started = await askAndStart(context, call, judged, { decision: withRisks(context, decision, risks), previewed })
  if (started !== null) {
    begun?.cancel()
    return started
  }
  begun?.agree(risks)
  return withNearby(context, judged, await runKept(context, decision, begun, () => work.run(previewed)))
}

/** Adds what the folders a call touched say about work in them, once. */
function withNearby({ nearby }: GateContext, { places }: JudgedCall, result: CallResult): CallResult {
  if (nearby === undefined || result.outcome !== 'ok' || result.ends !== undefined) return result
  const found = nearby(places.values())
  if (found.length === 0) return result
  const details = { ...result.details, instructions: found.map(({ file }) => file) }
  return { ...result, output: `${result.output}\n\n${NEARBY}\n\n${instructionsText(found)}`, details }
}

/** Gets leave where it is needed and records the start. Null: the call may run; else how it ended before it began. */
async function askAndStart(
  context: GateContext,
  call: ToolCall,
  judged: JudgedCall,
  { decision, previewed }: { decision: Decision; previewed: Previewed },
): Promise<CallResult | null> {
  if (decision.verdict === 'deny') return refusedCall(context, call, decision)
  const leave = decision.verdict === 'ask' ? await leaveFor(context, call, previewed) : null
  if (leave === 'unanswered') return waiting(context, call, decision, { previewed, patterns: offeredPatterns(judged, decision) })
  if (leave === 'outdated') return waiting(context, call, { ...decision, message: OUTDATED }, { previewed, patterns: [] })
  if (leave?.granted === false) return refusedCall(context, call, userRefused(decision, leave))
  if (context.signal.aborted) return interrupted(decision, 'stopped before it started')
  // What was approved is used up by the call, also where the call itself only reads.
  if (!judged.tool.read_only || leave !== null) {
    const shown = withoutSecrets(previewed, context.secrets ?? [])
    await context.recordStart({ call, previewed: shown, approval: leave?.approval ?? null })
  }
  return null
}

/** Runs what may change files, and records what it changed, however it ended. */
async function runKept(
  context: GateContext,
  decision: Decision,
  begun: BegunCall | null,
  run: () => Promise<ToolAnswer>,
): Promise<CallResult> {
  const answer = await attempt(run)
  const result = answered(context, decision, answer)
  if (begun !== null && !(answer instanceof Problem) && answer.whenOver) {
    answer.whenOver(async () => lostLine((await begun.end()).lost))
    return result
  }
  const ended = await attempt(async () => begun?.end())
  if (ended instanceof Problem)
    return { ...result, output: `${result.output}\ncheckpoint: what changed was not recorded: ${ended.message}` }
  return withLost(result, ended?.lost ?? [])
}

/** What became of a call that was started when the process died: its answer, or its work done now, or that it was cut off. */
export async function recoverCall(context: GateContext, started: StartedCall): Promise<CallResult> {
  return withoutSecrets(await findOrRun(context, started), context.secrets ?? [])
}

async function findOrRun(context: GateContext, started: StartedCall): Promise<CallResult> {
  const { decision, call: judged } = await judgeCall(context, started.call)
  if (judged === null) return interrupted(decision, `${started.call.tool} was cut off and is refused now: ${decision.message}`)
  const work = workOf(context, started.call, judged)
  await attempt(async () => context.keeper?.settle())
  const found = await attempt(() => work.recover(started.previewed))
  if (found === 'interrupted')
    return interrupted(decision, `${judged.tool.name} was cut off and was not run again; look at what it left behind`)
  if (found !== 'run_again') return answered(context, decision, found)
  if (decision.verdict === 'ask' && !stillApproved(context, started)) return callTool(context, started.call)
  const begun = await attempt(() => beginKeeping(context, started.call, judged))
  if (begun instanceof Problem) return failed(context, decision, begun)
  return runKept(context, decision, begun, () => work.run(started.previewed))
}

/** The parts of a call's work, each ready to start. */
function workOf(context: GateContext, call: ToolCall, { tool, input, places }: JudgedCall) {
  const body = bodies.get(tool)
  if (body === undefined) throw new Problem('internal', `${tool.name} was not made by defineTool, so the gate has nothing to run`)
  const during: ToolContext = { ...context, call_id: call.id, place: (path) => placeOf(tool, places, path) }
  const without = tool.read_only ? 'run_again' : 'interrupted'
  return {
    preview: async (): Promise<Previewed> => (await body.preview?.(input, during)) ?? {},
    run: (previewed: Previewed) => body.run(input, during, previewed),
    recover: async (previewed: Previewed) => (await body.recover?.(input, previewed, during)) ?? without,
  }
}

function placeOf(tool: Tool, places: ReadonlyMap<string, string>, path: string): string {
  const place = places.get(path)
  if (place === undefined) throw new Problem('internal', `${tool.name} touched ${path} without declaring it in its paths`)
  return place
}

const NEARBY = 'These folders have instructions of their own for whoever works in them:'

const OUTDATED = 'The file has changed since you were asked, so nothing was done. This is what would be done now.'

/**
 * A person's answer about this call. One that was given to another role, plan or argument, or was used, is no answer, and a yes to
 * something else than what would be done now is none either. A no stays a no.
 */
async function leaveFor(context: GateContext, call: ToolCall, previewed: Previewed): Promise<FoundApproval | 'unanswered' | 'outdated'> {
  const wanted = wantedApproval(context, call, previewed)
  const found = await context.findApproval(wanted)
  if (found === null || found.approval.used_at !== null || !isBoundTo(found.approval, wanted)) return 'unanswered'
  return found.granted && !isShown(found.approval, wanted) ? 'outdated' : found
}

function stillApproved(context: GateContext, started: StartedCall): boolean {
  if (started.approval === null) return false
  const wanted = wantedApproval(context, started.call, started.previewed)
  return isBoundTo(started.approval, wanted) && isShown(started.approval, wanted)
}

function userRefused(decision: Decision, { text }: FoundApproval): Decision {
  return { ...decision, verdict: 'deny', rule: 'user_refused', message: `the user refused this call${text === '' ? '' : `: ${text}`}` }
}

/** What a tool throws is an answer the model can work with, never the end of the run. */
async function attempt<T>(work: () => Promise<T>): Promise<T | Problem> {
  try {
    return await work()
  } catch (error) {
    return asProblem(error)
  }
}

function answered(context: GateContext, decision: Decision, answer: ToolAnswer | Problem): CallResult {
  if (answer instanceof Problem) return failed(context, decision, answer)
  const { output, details = {}, failed: didFail = false, ends, shows } = answer
  const outcome = didFail ? (context.signal.aborted ? 'interrupted' : 'error') : ends === 'waiting' ? 'waiting' : 'ok'
  return {
    outcome,
    output: bounded(output, ANSWER_CHARS),
    details,
    decision,
    ends_turn: false,
    ...(ends && { ends }),
    ...(shows && { shows }),
  }
}

function failed(context: GateContext, decision: Decision, problem: Problem): CallResult {
  if (context.signal.aborted) return interrupted(decision, `stopped: ${problem.message}`)
  const output = bounded(`${problem.code}: ${problem.message}`, ANSWER_CHARS)
  return { outcome: 'error', output, details: problemView(problem), decision, ends_turn: false }
}

function interrupted(decision: Decision, output: string): CallResult {
  return { outcome: 'interrupted', output, details: {}, decision, ends_turn: false }
}

function waiting(
  context: GateContext,
  call: ToolCall,
  decision: Decision,
  { previewed, patterns }: { previewed: Previewed; patterns: readonly string[] },
): CallResult {
  const ask = {
    content: approvalQuestion(call, decision, previewed, patterns),
    patterns,
    approval: wantedApproval(context, call, previewed),
    previewed,
  }
  return {
    outcome: 'waiting',
    output: 'waiting for a person to agree',
    details: { previewed },
    decision,
    ends_turn: false,
    ends: 'waiting',
    ask,
  }
}
