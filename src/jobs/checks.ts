import type { CheckResult } from '../domain/job-history.ts'
import type { Job, JobCheck } from '../domain/job.ts'
import { asProblem } from '../domain/problem.ts'
import { runCommand } from '../sandbox/run-command.ts'
import { bounded } from '../tools/bounded.ts'
import type { JobStage } from './stage.ts'

const OUTPUT_CHARS = 8_000

/** Runs the checks of a job one after the other. What they write is thrown away: a check judges the work, it is no part of it. */
export async function runChecks(stage: JobStage, job: Job, signal: AbortSignal): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const check of job.checks) results.push(await runCheck(stage, job.workspace, check, signal))
  return results
}

async function runCheck(stage: JobStage, root: string, check: JobCheck, signal: AbortSignal): Promise<CheckResult> {
  const { name, command } = check
  const { sandbox, network } = stage.agent
  const bare = sandbox.kind === 'none' && stage.unsandboxed
  try {
    const result = await runCommand(
      {
        argv: ['/bin/sh', '-c', command],
        root,
        access: bare ? 'change' : 'throw_away',
        network,
        timeoutMs: check.timeout_ms,
        signal,
        ...(bare && { unsandboxed: true }),
      },
      sandbox,
    )
    const output = bounded([result.stdout, result.stderr].filter((text) => text !== '').join('\n'), OUTPUT_CHARS)
    const said = result.ended === 'exited' ? output : `${output}\n[it was ${result.ended.replace('_', ' ')}]`
    const passed = result.ended === 'exited' && result.exit_code === 0
    return { name, command, passed, exit_code: result.exit_code, output: said, took_ms: Math.round(result.took_ms) }
  } catch (error) {
    // A check that cannot be run is a fact about the work, not the end of the step that was paid for.
    return { name, command, passed: false, exit_code: null, output: `not run: ${asProblem(error).message}`, took_ms: 0 }
  }
}
