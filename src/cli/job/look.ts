import type { Command } from 'commander'
import { exitCommandJsonSchema, llmChatJsonSchema } from '../../domain/job/history.ts'
import { Problem } from '../../domain/problem.ts'
import { historyOf, interactionAt, jobMovesOf } from '../../jobs/view/history.ts'
import { metricsCsv, metricsOf } from '../../jobs/view/metrics.ts'
import { previewStep } from '../../jobs/view/preview.ts'
import { diffOf } from '../../jobs/view/result.ts'
import { listJobs, jobStatus } from '../../jobs/view/job.ts'
import { refuseExisting } from '../../sandbox/files/refuse-existing.ts'
import { jobs } from '../../store/tables.ts'
import { jobIdIn, onStage, onStore } from './open-jobs.ts'
import { historyText, jobTable, jobText, metricsText, previewText } from './text.ts'
import { writeText } from '../named-file.ts'
import { inLine, printExactly, printJson, printResult } from '../terminal.ts'

const schemas = { 'exit-command.schema.json': exitCommandJsonSchema, 'llm-chat-schema.json': llmChatJsonSchema }

/** The verbs that only look. None of them changes anything. */
export function defineLooking(job: Command): void {
  const look = (verb: string, about: string) => job.command(verb).description(about)
  look('list', 'list all jobs, the queue first').action(onStore(list))
  look('status [id]', 'say where a job stands and what can be done; without a name, all jobs').action(onStore(status))
  look('show [id]', 'show a job with all its moves').action(onStore(show))
  look('preview [id]', 'show who acts next and with which prompt').action(onStage(preview))
  look('history [id]', 'show every exchange').option('--from <number>', 'only from this interaction on', '1').action(onStore(history))
  look('fixture <id> <number>', 'print one interaction, for poststep').action(onStore(fixture))
  look('metrics [id]', 'show success by role and model, cost, time and retries; without a name, of all jobs')
    .option('--csv <file>', 'write the steps as CSV')
    .action(onStore(metrics))
  look('diff [id]', 'show what a job has changed since its base').action(onStore(diff))
  look('schema', 'print a published schema')
    .argument('[name]', Object.keys(schemas).join(' or '), 'exit-command.schema.json')
    .action((name: string) => printJson(schemaOf(name)))
}

type Look = Parameters<typeof onStore>[0]

const list: Look = async (driver, { json }) => {
  const found = await listJobs(driver)
  printResult(json, { jobs: found }, jobTable(found))
}

const status: Look = async (driver, options, args) => {
  if (args[0] === undefined && !process.env['TROUPE_JOB_ID']) return list(driver, options, args)
  const view = await jobStatus(driver, jobIdIn(args))
  const { summary, job, worked_on, has_workspace, possible_moves } = view
  printResult(options.json, { ...summary, active: job.active, worked_on, has_workspace, possible_moves }, jobText(view))
}

const show: Look = async (driver, { json }, args) => {
  const id = jobIdIn(args)
  const standing = await jobStatus(driver, id)
  const moves = await jobMovesOf(driver, id)
  const lines = moves.map(
    ({ at, actor, move, from, to, note }) => `${at} ${actor} ${move}: ${from} → ${to}${note === '' ? '' : ` (${inLine(note)})`}`,
  )
  printResult(json, { ...standing, moves }, [jobText(standing), '', ...lines].join('\n'))
}

const preview: Parameters<typeof onStage>[0] = async (context, { json }, args) => {
  const next = await previewStep(context, jobIdIn(args))
  printResult(json, next, previewText(next))
}

const history: Look = async (driver, { json, from = '1' }, args) => {
  const found = await historyOf(driver, jobIdIn(args), { after: numberIn(from) - 1 })
  printResult(json, { interactions: found.map(({ interaction, simulated }) => ({ ...interaction, simulated })) }, historyText(found))
}

const fixture: Look = async (driver, _options, [id = '', number = '']) =>
  printJson((await interactionAt(driver, id, numberIn(number))).interaction)

const metrics: Look = async (driver, { json, csv }, args) => {
  if (csv !== undefined) refuseExisting(csv)
  const found = await metricsOf(driver, args[0])
  if (csv !== undefined) await writeText(csv, `${metricsCsv(found)}\n`)
  printResult(json, found, metricsText(found))
}

const diff: Look = async (driver, { json }, args) => {
  const found = await diffOf((await jobs.get(driver, jobIdIn(args))).item)
  if (json) return printJson(found)
  printExactly(found.patch)
}

/** The number of an interaction. */
export function numberIn(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Problem('bad_input', `${text} is no number of an interaction; they are numbered from 1`)
}

function schemaOf(name: string): object {
  const known = Object.entries(schemas).find(([file]) => file === name)
  if (known) return known[1]()
  throw new Problem('bad_input', `there is no schema ${name}; there are ${Object.keys(schemas).join(' and ')}`)
}
