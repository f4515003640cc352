import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Command } from 'commander'
import { counted } from '../../domain/text/counted.ts'
import { problems, Problem } from '../../domain/problem.ts'
import { askAgain, type OtherAnswer } from '../../jobs/replay/counterfactual.ts'
import { replayJob } from '../../jobs/replay/replay.ts'
import type { JobContext } from '../../jobs/context.ts'
import { builtInDir, loadRoles } from '../../roles/load.ts'
import type { Roles } from '../../roles/roles.ts'
import { numberIn } from './look.ts'
import { jobIdIn, onStage, type JobOptions } from './open-jobs.ts'
import { stopSignal } from '../stop-signal.ts'
import { printResult, shown, table } from '../terminal.ts'

/** `troupe job replay` */
export function defineReplay(job: Command): void {
  job
    .command('replay [id]')
    .description('play the record through today’s rules without a model, and report every difference')
    .option('--from <number>', 'only from this interaction on', '1')
    .option('--with-model <model>', 'ask this model the recorded questions instead')
    .option('--role-file <file>', 'ask in this role instead')
    .action(onStage(replay))
}

async function replay(context: JobContext, options: JobOptions, args: string[]): Promise<void> {
  const id = jobIdIn(args)
  const from = numberIn(options.from ?? '1')
  if (options.withModel !== undefined || options.roleFile !== undefined) {
    const signal = stopSignal()
    const asked = { from, model: options.withModel }
    showAnswers(await withRole(options.roleFile, (other) => askAgain(context, id, { ...asked, ...other }, signal)), options)
    if (signal.aborted) process.exitCode = problems.stopped.exit
    return
  }
  const found = await replayJob(context.agent.driver, id, from)
  if (found.differences.length > 0) process.exitCode = problems.internal.exit
  const rows = found.differences.map(({ sequence, what, recorded, now }) => [`${sequence}`, what, shown(recorded), shown(now)])
  const same = `${counted(found.interactions, 'interaction')}, no difference`
  printResult(options.json, found, rows.length === 0 ? same : table(['', '', 'recorded', 'now'], rows))
}

/** Lends some work the role of a file, read as a user's own would be, beside the built-in roles; where none is named, no other role. */
async function withRole<Result>(
  file: string | undefined,
  work: (other: { role?: string; roles?: Roles }) => Promise<Result>,
): Promise<Result> {
  if (file === undefined) return work({})
  const folder = await mkdtemp(join(tmpdir(), 'troupe-role-'))
  try {
    await copyFile(file, join(folder, basename(file))).catch((cause: unknown) => {
      throw new Problem('bad_input', `the role file ${file} cannot be read; name a role file as roles/ has them`, { cause })
    })
    const roles = await loadRoles({ builtInDir, userDir: folder })
    const role = roles.list().find(({ source }) => source === 'user')
    if (role === undefined) throw new Problem('bad_input', `${file} holds no role`)
    return await work({ role: role.id, roles })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function showAnswers(answers: readonly OtherAnswer[], { json }: JobOptions): void {
  if (answers.some(({ now }) => now === 'failed')) process.exitCode = problems.provider_failed.exit
  const rows = answers.map(({ sequence, recorded, now, summary }) => [`${sequence}`, recorded, now, shown(summary)])
  printResult(json, { answers }, table(['', 'recorded', 'now', ''], rows))
}
