import type { Command } from 'commander'
import { addTask, editTask, type AddRequest } from '../../board/task/add.ts'
import { approvePlan } from '../../board/task/approve-plan.ts'
import { finalizeTask } from '../../board/task/finalize.ts'
import { initBoard } from '../../board/goal/init.ts'
import { writeProjection } from '../../board/view/projection.ts'
import { abandonTask, supersedeTask } from '../../board/task/supersede.ts'
import { boardOperations } from '../../board/operations.ts'
import { uncommittedSpecNotice } from '../../board/task/uncommitted.ts'
import { Problem } from '../../domain/problem.ts'
import { TaskKind, type TaskPlan } from '../../domain/board/task.ts'
import { splitList } from '../../domain/text/typed.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import type { Driver } from '../../store/driver.ts'
import { openRepository, type Repository } from '../../worktrees/repository.ts'
import { boardVerb, changing, exampled, inProject, personDeciding, skipsSpecCheck, type BoardOptions, type SpecCheck } from './context.ts'
import { addCommands } from '../operation-commands.ts'
import { boardArea } from './area.ts'
import { oneOf, replacementsIn, timeOf } from './input.ts'
import { readDocument } from '../read-document.ts'
import { taskLine, taskShown } from './text.ts'
import { wholeNumber } from '../run/options.ts'
import { printResult, say } from '../terminal.ts'

interface PlanOptions {
  desc?: string
  spec?: string
  done?: string
  scope?: string
  priority?: number
  depends?: string[]
  kind?: TaskKind
  maxIterations?: number
}

interface RescopeOptions {
  reason: string
  rootCause: string
}

/** init, add, edit, finalize, approve-plan, unblock, supersede, abandon: what a planner does. */
export function defineBoardPlan(noun: Command): void {
  defineInit(noun)
  addCommands(noun, boardOperations, boardArea)
  changing<PlanOptions & { id?: string; stretch?: boolean }>(
    draftOptions(
      boardVerb(noun, 'add', 'put a task on the board as a draft')
        .option('--id <id>', 'its id; else task-N')
        .option('--stretch', 'beyond the plan of the sprint'),
    ),
    async ({ board, options, actor }) => {
      const request: AddRequest = {
        ...described(options),
        ...definedOnly({ id: options.id }),
        ...(options.stretch && { sprint: 'stretch' }),
      }
      return taskShown(await addTask(board, await actor(), request))
    },
  )
  changing<PlanOptions>(
    draftOptions(boardVerb(noun, 'edit', 'change a draft').argument('<task>')),
    async ({ board, options, args: [id = ''], actor }) => {
      const changes = planFrom(options)
      if (Object.keys(changes).length === 0) throw new Problem('bad_input', `say what changes about ${id}, such as --done or --scope`)
      return taskShown(await editTask(board, await actor(), id, changes))
    },
  )
  const finalize = boardVerb(noun, 'finalize', 'let a draft leave DRAFT once it passes every gate')
    .argument('<task>')
    .option('--override <reason>', 'let a vague criterion or a task of tests pass; only a person may, and the reason is logged')
  changing<SpecCheck & { override?: string }>(skipCheck(finalize), async ({ board, options, args: [id = ''], actor }) => {
    const { override } = options
    const task = await finalizeTask(board, await actor(), id, { skip_spec_file_check: skipsSpecCheck(options), override })
    for (const notice of await uncommittedSpecNotice(board, task.spec_ref)) say(notice)
    return taskShown(task)
  })
  changing(
    boardVerb(noun, 'approve-plan', 'approve finalized tasks, so that they may be claimed').argument('[tasks...]'),
    async ({ board, args, human }) => {
      const approved = await approvePlan(board, human(), args)
      return { value: { approved }, text: approved.length === 0 ? 'No task waits for approval.' : `Approved: ${approved.join(', ')}` }
    },
  )
  defineRescope(noun)
}

function defineRescope(noun: Command): void {
  const supersede = rescopeOptions(boardVerb(noun, 'supersede', 'replace a task by better ones').argument('<task>')).requiredOption(
    '--with <file>',
    'a YAML or JSON list of tasks; - for standard input',
  )
  changing<RescopeOptions & SpecCheck & { with: string }>(skipCheck(supersede), async ({ board, options, args: [id = ''], actor }) => {
    const { reason, rootCause: root_cause } = options
    const skip_spec_file_check = skipsSpecCheck(options)
    const replacements = replacementsIn(await readDocument(options.with))
    const done = await supersedeTask(board, await actor(), id, { reason, root_cause, replacements, skip_spec_file_check })
    return { value: done, text: [done.task, ...done.replacements].map(taskLine).join('\n') }
  })
  changing<RescopeOptions>(
    rescopeOptions(boardVerb(noun, 'abandon', 'drop a task for good').argument('<task>')),
    async ({ board, options, args: [id = ''], actor }) =>
      taskShown(await abandonTask(board, await actor(), id, { reason: options.reason, root_cause: options.rootCause })),
  )
}

interface InitOptions extends BoardOptions, SpecCheck {
  spec?: string
  integrationBranch?: string
  integrationTest?: string
  base?: string
  remote?: string
  deadline?: string
  autoApprove?: boolean
}

function defineInit(noun: Command): void {
  const init = exampled(noun, 'init', 'open a board for a goal in this repository')
    .argument('<goal>')
    .option('--spec <file>', 'the spec of the goal')
    .option('--integration-branch <name>', 'where approved work is merged')
    .option('--integration-test <command>', 'what must succeed on a merge result before the branch moves')
    .option('--base <branch>', 'the branch that the work is based on and that is taken in; the one checked out when left out')
    .option('--remote <name>', 'the git remote through which other machines take part')
    .option('--deadline <time>', 'when the sprint ends, as an ISO time', (word) => timeOf('--deadline', word))
    .option('--auto-approve', 'let finalized tasks be claimed without a person approving the plan')
    .option('--dry-run', 'say what would happen and change nothing')
  skipCheck(init).action(async (goal: string, _options: unknown, command: Command) => {
    const options = command.optsWithGlobals<InitOptions>()
    const open = async (driver: Driver, repository: Repository) => {
      const { spec, deadline = null } = options
      const skip_spec_file_check = skipsSpecCheck(options)
      const request = { goal, spec_ref: spec, config: configFrom(options), deadline, skip_spec_file_check, dry: options.dryRun === true }
      const made = await initBoard(driver, repository, request, personDeciding())
      if (options.dryRun !== true) await writeProjection({ driver, board_id: made.id, repository })
      const opened = `${options.dryRun === true ? 'Would open' : 'Opened'} a board for "${made.goal.description}"`
      printResult(options.json, made, `${opened}; approved work goes to ${made.config.integration_branch}.`)
    }
    await inProject(options.cwd, open, openRepository)
  })
}

function configFrom({ integrationBranch, integrationTest, base, remote, autoApprove }: InitOptions) {
  const settings = { integration_branch: integrationBranch, integration_test: integrationTest, base_branch: base }
  return definedOnly({ ...settings, remote, auto_approve: autoApprove })
}

function draftOptions(verb: Command): Command {
  return planOptions(verb)
    .option('--kind <kind>', TaskKind.options.join(', '), (word) => oneOf('--kind', TaskKind.options, word))
    .option('--depends <tasks>', 'ids of tasks that must be merged first, with commas', (words) => splitList(words, ','))
    .option('--max-iterations <number>', 'how often it may be tried', (word) => wholeNumber('--max-iterations', word, { from: 1 }))
}

function planOptions(verb: Command): Command {
  return verb
    .option('--desc <text>', 'what is to be done, in one or two sentences')
    .option('--spec <file>', 'the spec it rests on, with #section')
    .option('--done <text>', 'when it is done: something that could be proven wrong')
    .option('--scope <text>', 'what belongs to it and what does not')
    .option('--priority <number>', '1 is first, 5 last', (word) => wholeNumber('--priority', word, { from: 1, to: 5 }))
}

/** A new task says at least what is to be done. */
function described(options: PlanOptions): Partial<TaskPlan> {
  if (options.desc === undefined) throw new Problem('bad_input', 'say what is to be done: --desc "Page GET /users by 50"')
  return planFrom(options)
}

function planFrom({ desc, spec, done, scope, priority, depends, kind, maxIterations }: PlanOptions): Partial<TaskPlan> {
  return definedOnly({
    description: desc,
    spec_ref: spec,
    done_when: done,
    scope,
    priority,
    depends_on: depends,
    kind,
    max_iterations: maxIterations,
  })
}

function skipCheck(verb: Command): Command {
  return verb.option('--skip-spec-file-check', 'the spec file need not exist; this is logged')
}

function rescopeOptions(verb: Command): Command {
  return verb
    .requiredOption('--reason <text>', 'why it does not stay as it is')
    .requiredOption('--root-cause <text>', 'what failed, and why')
}
