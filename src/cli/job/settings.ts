import type { Command } from 'commander'
import type { JobLimits } from '../../domain/job/job.ts'
import { Problem } from '../../domain/problem.ts'
import { definedOnly, isRecord, layered } from '../../domain/text/unknown-value.ts'
import { readDocument } from '../read-document.ts'
import { microdollars } from '../run/options.ts'

/** The settings of a job as options of a command. */
export interface SettingOptions {
  spec?: string
  description?: string
  objective?: string
  details?: string
  acceptance?: string[]
  prompt?: string
  phase?: string[]
  check?: string[]
  workerRole?: string
  workerModel?: string
  supervisorRole?: string
  supervisorModel?: string
  temperature?: string
  maxCostUsd?: string
  maxMinutes?: string
  maxIterations?: string
  maxRetries?: string
  maxRounds?: string
  autoApprove?: boolean
  file?: string[]
  source?: string
  rank?: string
}

const collect = (value: string, before: string[] = []) => [...before, value]

/** Adds the options that set up a job. */
export function settingOptions(command: Command): Command {
  return command
    .option('--spec <file>', 'settings from a JSON or YAML file; options given beside it win')
    .option('--description <text>', 'one line that says what the job is')
    .option('--objective <text>', 'what is to be achieved')
    .option('--details <text>', 'what else the agents must know')
    .option('--acceptance <criterion>', 'a condition the Supervisor judges by; may be repeated', collect)
    .option('--prompt <text>', 'free text for the agents')
    .option('--phase <name[: description]>', 'a phase; may be repeated', collect)
    .option('--check <name=command>', 'a command whose exit code stands beside the claims; may be repeated', collect)
    .option('--worker-role <role>', 'who works (worker)')
    .option('--worker-model <model>', 'with which model or agent/NAME')
    .option('--supervisor-role <role>', 'who reviews (supervisor)')
    .option('--supervisor-model <model>', 'with which model or agent/NAME')
    .option('--temperature <number>', 'of both seats; a Worker that starts over gets a higher one')
    .option('--max-cost-usd <dollars>', 'stop before the next step once so much is spent, or none')
    .option('--max-minutes <minutes>', 'stop before the next step once agents worked so long, or none')
    .option('--max-iterations <number>', 'stop after so many steps')
    .option('--max-retries <number>', 'fresh starts a Worker may ask for in a phase')
    .option('--max-rounds <number>', 'times the Supervisor may send a phase back')
    .option('--auto-approve', 'let phases pass without a person once the Supervisor approves')
    .option('--no-auto-approve', 'have a person approve every phase')
    .option('--file <path>', 'attach a file; may be repeated', collect)
    .option('--source <folder>', 'the repository the job works for (this folder)')
    .option('--rank <place>', 'place in the queue: 0 is the front, -1 the end')
}

/** The settings given on the command line, over those of the file it names. */
export async function settingsFrom(options: SettingOptions): Promise<Record<string, unknown>> {
  const spec = options.spec === undefined ? {} : await readSpec(options.spec)
  return layered(spec, { ...textsIn(options), ...seatsIn(options), ...limitsIn(options) })
}

/** `--rank`, or undefined. */
export function rankIn({ rank }: SettingOptions): number | undefined {
  if (rank === undefined) return undefined
  if (/^(-1|\d+)$/.test(rank)) return Number(rank)
  throw new Problem('bad_input', `--rank is ${rank}; it takes a place from 0, or -1 for the end`)
}

function textsIn(options: SettingOptions): object {
  const { description, objective, details, acceptance, prompt, phase, check, autoApprove } = options
  return definedOnly({
    description,
    objective,
    details,
    acceptance_criteria: acceptance,
    prompt,
    phases: phase?.map(phaseIn),
    checks: check?.map(checkIn),
    auto_approve: autoApprove,
  })
}

function phaseIn(text: string): { name: string; description: string } {
  const [name = '', ...rest] = text.split(':')
  return { name: name.trim(), description: rest.join(':').trim() }
}

function checkIn(text: string): { name: string; command: string } {
  const [, name, command] = /^([^=]+)=([^]+)$/.exec(text) ?? []
  if (name !== undefined && command !== undefined) return { name: name.trim(), command: command.trim() }
  throw new Problem('bad_input', `--check is ${text}; it takes NAME=COMMAND, for example tests="npm test"`)
}

function seatsIn(options: SettingOptions): object {
  const temperature = options.temperature === undefined ? undefined : amount('--temperature', options.temperature)
  const worker = definedOnly({ role: options.workerRole, model: options.workerModel, temperature })
  const supervisor = definedOnly({ role: options.supervisorRole, model: options.supervisorModel, temperature })
  return Object.keys({ ...worker, ...supervisor }).length === 0 ? {} : { roles: { worker, supervisor } }
}

function limitsIn(options: SettingOptions): object {
  const { maxCostUsd, maxMinutes, maxIterations, maxRetries, maxRounds } = options
  const limits: Partial<JobLimits> = definedOnly({
    max_cost_microusd: orNone(maxCostUsd, (text) => microdollars('--max-cost-usd', text)),
    max_wall_ms: orNone(maxMinutes, (text) => Math.round(amount('--max-minutes', text) * 60_000)),
    max_iterations: maxIterations === undefined ? undefined : amount('--max-iterations', maxIterations),
    max_retries: maxRetries === undefined ? undefined : amount('--max-retries', maxRetries),
    max_rounds: maxRounds === undefined ? undefined : amount('--max-rounds', maxRounds),
  })
  return Object.keys(limits).length === 0 ? {} : { limits }
}

/** What `none` takes away: a limit that must not be there by accident. */
function orNone(text: string | undefined, read: (text: string) => number): number | null | undefined {
  if (text === undefined) return undefined
  return text === 'none' ? null : read(text)
}

function amount(flag: string, value: string): number {
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value)
  throw new Problem('bad_input', `${flag} is ${value}; it takes a number`)
}

/** A file of settings; `{job_spec: {…}}` is taken too. */
async function readSpec(file: string): Promise<Record<string, unknown>> {
  const value = await readDocument(file)
  const inner = isRecord(value) && 'job_spec' in value ? value['job_spec'] : value
  if (isRecord(inner)) return inner
  throw new Problem('bad_input', `the settings ${file} are not an object with fields such as objective and phases`)
}
