import type { CheckResult } from '../../domain/job/history.ts'
import type { Job, JobCheck } from '../../domain/job/job.ts'
import { isAgentWorking } from '../../domain/job/flow.ts'
import { asProblem, Problem } from '../../domain/problem.ts'
import { withoutTerminalCodes } from '../../domain/text/terminal-codes.ts'
import { runCommand } from '../../sandbox/run-command.ts'
import type { Driver } from '../../store/driver.ts'
import { jobs } from '../../store/tables.ts'
import { endings } from '../../tools/background/answer.ts'
import { bounded } from '../../tools/bounded.ts'
import { jobContextIn, type JobContext } from '../context.ts'

const OUTPUT_CHARS = 8_000
const LOOK_MS = 400

/**
 * Runs the checks of a job one after the other. What they write is thrown away: a check judges the work, it is no part of it.
 * One that a person cut off says nothing about the work: it is run again by the next step, or by nobody if the job was suspended or cancelled.
 */
export async function runChecks(context: JobContext, job: Job, signal: AbortSignal): Promise<CheckResult[]> {
  const here = await jobContextIn(context, job)
  const left = untilLeft(context.agent.driver, job)
  const results: CheckResult[] = []
  try {
    for (const check of job.checks) results.push(await runCheck(here, job.workspace, check, AbortSignal.any([signal, left.signal])))
  } finally {
    left.stopLooking()
  }
  if (left.signal.aborted) return []
  if (signal.aborted) throw new Problem('stopped', `the checks of ${job.id} were cut off; the next step runs them again`)
  return results
}

/** A signal that ends when a person takes the job away from its agent. */
function untilLeft(driver: Driver, { id }: Job): { signal: AbortSignal; stopLooking: () => void } {
  const left = new AbortController()
  async function look(): Promise<void> {
    if (!isAgentWorking((await jobs.get(driver, id)).item.status)) left.abort()
  }
  // A look that fails is tried again; a store that stays away fails the step itself.
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_MS)
  return { signal: left.signal, stopLooking: () => clearInterval(timer) }
}

async function runCheck(context: JobContext, root: string, check: JobCheck, signal: AbortSignal): Promise<CheckResult> {
  const { name, command } = check
  const { sandbox, commands } = context.agent
  const bare = sandbox.kind === 'none' && commands.unsandboxed
  try {
    const result = await runCommand(
      {
        argv: ['/bin/sh', '-c', command],
        root,
        access: bare ? 'change' : 'throw_away',
        ...commands,
        timeoutMs: check.timeout_ms,
        signal,
      },
      sandbox,
    )
    const printed = withoutTerminalCodes([result.stdout, result.stderr].filter((text) => text !== '').join('\n'))
    const output = bounded(printed, OUTPUT_CHARS)
    const said = result.ended === 'exited' ? output : `${output}\n[${endings[result.ended]}]`
    const passed = result.ended === 'exited' && result.exit_code === 0
    return { name, command, passed, exit_code: result.exit_code, output: said, took_ms: Math.round(result.took_ms) }
  } catch (error) {
    // A check that cannot be run is a fact about the work, not the end of the step that was paid for.
    return { name, command, passed: false, exit_code: null, output: `not run: ${asProblem(error).message}`, took_ms: 0 }
  }
}
