import type { Command } from 'commander'
import { analyzeBoard, findingText, type Analysis } from '../../board/health/circuit-breaker.ts'
import { configureBoard } from '../../board/goal/configure.ts'
import { abortBoard, checkpointBoard, pauseBoard, resumeBoard } from '../../board/goal/control.ts'
import { addRetrospective } from '../../board/view/retrospective.ts'
import { sprintReport, writeSprintReport } from '../../board/view/sprint-report.ts'
import { takeInBase, wouldTakeIn, type TakenIn } from '../../board/goal/take-in.ts'
import type { Board } from '../../domain/board/board.ts'
import { counted } from '../../domain/text/counted.ts'
import { Problem, problems } from '../../domain/problem.ts'
import { visible } from '../../roles/fault.ts'
import { boardVerb, changing, looking } from './context.ts'
import { settingOf } from './input.ts'
import { columns, inLine } from '../terminal.ts'
import { boardOf } from '../../board/find.ts'

const stops = [
  { name: 'pause', description: 'let the whole team stand still', run: pauseBoard },
  { name: 'abort', description: 'end the goal for good', run: abortBoard },
] as const

/** pause, resume, checkpoint, abort, config, report, retrospective, analyze: what a person decides about the whole board. */
export function defineBoardControl(noun: Command): void {
  for (const { name, description, run } of stops) {
    changing(boardVerb(noun, name, description).argument('[message]'), async ({ board, args: [message], human }) =>
      shown(await run(board, human(), message)),
    )
  }
  changing(
    boardVerb(noun, 'checkpoint', 'stop the team for a look at the sprint, and write its report').argument('[message]'),
    async ({ board, args: [message], human }) => {
      const stopped = shown(await checkpointBoard(board, human(), message))
      const report_file = await writeSprintReport(board)
      return {
        value: { ...stopped.value, report_file },
        text: `${await sprintReport(board)}\n\n${stopped.text} This report: ${report_file}`,
      }
    },
  )
  changing(
    boardVerb(noun, 'resume', 'let the team go on; after a checkpoint with what was decided').argument('[decision]'),
    async ({ board, args: [decision = ''], human }) => shown(await resumeBoard(board, human(), decision)),
  )
  changing(boardVerb(noun, 'sync', 'take what is new on the base branch into the integration branch'), async ({ board }) =>
    syncShown(board.dry === true ? await wouldTakeIn(board) : await takeInBase(board), await boardOf(board)),
  )
  defineConfig(noun)
  defineSprint(noun)
  changing(
    boardVerb(noun, 'analyze', 'look for patterns in what went wrong; one at its threshold stops the team'),
    async ({ board, human }) => {
      const analysis = await analyzeBoard(board, human())
      return { value: analysis, text: analysisText(analysis) }
    },
  )
}

/** A script that goes on must learn that the base branch is not in it. */
function syncShown(taken: TakenIn, { config }: Board) {
  const { base_branch, integration_branch } = config
  if (taken.outcome === 'conflict' || taken.outcome === 'held') process.exitCode = problems.conflict.exit
  const texts: Record<TakenIn['outcome'], () => string> = {
    current: () =>
      base_branch === null
        ? 'This board has no base branch: troupe board config base_branch main names one.'
        : `${integration_branch} holds everything of ${base_branch}.`,
    taken_in: () => `Took ${counted('commits' in taken ? taken.commits : 0, 'commit')} of ${base_branch} into ${integration_branch}.`,
    conflict: () => conflictText(taken, base_branch, integration_branch),
    held: () => ('reason' in taken ? taken.reason : ''),
  }
  return { value: taken, text: texts[taken.outcome]() }
}

function conflictText(taken: TakenIn, base: string | null, into: string): string {
  if (taken.outcome !== 'conflict') return ''
  const onward = taken.task === null ? `merge ${base} into ${into} by hand` : `a coder settles it in ${taken.task}`
  return `${base} does not fit ${into} in ${taken.files.join(', ')}; ${onward}.`
}

function defineConfig(noun: Command): void {
  changing(
    boardVerb(noun, 'config', 'show the settings of the board, or change one')
      .argument('[setting]')
      .argument('[value]', '`none` takes a setting away that need not be there'),
    async ({ board, args: [setting, value], human }) => {
      if (setting === undefined || value === undefined) return settingsShown(await boardOf(board), setting)
      const changed = await configureBoard(board, human(), { [setting]: settingOf(setting, value) })
      return settingsShown(changed, setting)
    },
  )
}

function defineSprint(noun: Command): void {
  boardVerb(noun, 'report', 'show the sprint as it is read at a checkpoint').action(
    looking(async ({ board }) => {
      const text = await sprintReport(board)
      return { value: { text }, text }
    }),
  )
  changing<{ specGap?: string[]; action?: string[] }>(
    boardVerb(noun, 'retrospective', 'write down what you make of the sprint; its figures are kept with it')
      .argument('<notes>')
      .option('--spec-gap <text...>', 'what the specs should say')
      .option('--action <text...>', 'what is to be done about it'),
    async ({ board, options: { specGap = [], action = [] }, args: [notes = ''], human }) => {
      const { sprint } = await addRetrospective(board, human(), { notes, spec_gaps: specGap, actions: action })
      return { value: sprint.retrospective, text: 'Kept with the figures of the sprint.' }
    },
  )
}

/** The words of a finding are those of whoever logged it. */
function analysisText({ findings, report_file }: Analysis): string {
  if (findings.length === 0 && report_file === null) return 'No pattern.'
  const stopped = [
    `The board stands still. Report: ${report_file}`,
    `To go on, decide what to do about it and say so: troupe board resume "DECISION"`,
  ]
  return [
    ...findings.map((finding) => `${finding.response}: ${inLine(visible(findingText(finding)))}`),
    ...(report_file === null ? [] : stopped),
  ].join('\n')
}

function shown(board: Board) {
  const state = board.signal === null ? 'goes on' : `is under ${board.signal.name}`
  return { value: { signal: board.signal, sprint: board.sprint, goal: board.goal }, text: `The board ${state}.` }
}

/** All settings, or one. */
function settingsShown({ config }: Board, only?: string) {
  const asked = Object.entries(config).filter(([name]) => only === undefined || name === only)
  if (asked.length === 0) throw new Problem('bad_input', `a board has no setting ${only}; it has ${Object.keys(config).join(', ')}`)
  return { value: Object.fromEntries(asked), text: columns(asked.map(([name, value]) => [name, String(value ?? 'none')])) }
}
