import * as z from 'zod'
import { Board } from '../../domain/board/board.ts'
import { defineOperation } from '../../domain/operation.ts'
import { counted } from '../../domain/text/format.ts'
import { fitting } from '../../domain/text/schema-error.ts'
import { Problem } from '../../domain/problem.ts'
import { entriesIn, asFields, textField, textsField, type Loose } from '../../domain/board/rule.ts'
import { finalStates, statesWhere } from '../../domain/board/task-flow.ts'
import { gateFaults } from '../../domain/board/task-gates.ts'
import { Sha, Task } from '../../domain/board/task.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import type { Stored } from '../../store/collection.ts'
import type { Driver } from '../../store/driver.ts'
import { boards, tasks } from '../../store/tables.ts'
import { keepUnderRef } from '../../worktrees/branch.ts'
import { commitOf, findCommit, type Repository } from '../../worktrees/repository.ts'
import { recordActivity } from '../activity.ts'
import { needPerson, type ProjectContext } from '../context.ts'
import { writeProjection } from '../view/projection.ts'
import { openProject } from '../find.ts'
import { importRecords } from './import-records.ts'
import { beginGoal } from '../goal/init.ts'
import { keepSpecText, readSpec, type SpecText } from '../goal/spec.ts'
import { validateState } from '../health/validate.ts'

/** What somebody else's agents had in hand cannot be taken over from them; it is to be claimed again. */
const inHand: readonly string[] = statesWhere((facts) => facts.inHand === true)

/** The rule that a merged task names the commit that was reviewed; other programs do not keep it, and an import is exempt. */
const REVIEWED_COMMIT = 53

/** A document that breaks a rule is refused with all it breaks, and nothing is written. */
export const importState = defineOperation({
  name: 'board.import',
  summary: 'Make a board from an exported document',
  by: ['person'],
  effect: 'change',
  command: 'board import <state>',
  input: z.strictObject({ state: z.looseObject({}).describe('the document') }),
  output: z.object({
    board: Board,
    tasks: z.int(),
    /** The tasks that were in work and are to be claimed again. */
    returned: z.array(z.string()),
    /** The tasks that do not pass the gates and are to be finalized first. */
    drafts: z.array(z.string()),
  }),
  example: { state: { version: 1, goal: { id: 'goal-1', description: 'Page every list by 50' }, tasks: [] } },
  tell: importedText,
  run: async ({ driver, folder, actor, dry }: ProjectContext, { state }) => {
    const by = needPerson(actor)
    const repository = await openProject(folder)
    const imported = await importInto(driver, repository, state, by, dry === true)
    if (dry !== true) await writeProjection({ driver, board_id: imported.board.id, repository })
    return imported
  },
})

function importedText({ tasks: count, returned, drafts, board }: Awaited<ReturnType<typeof importInto>>): string {
  const { integration_branch, integration_test } = board.config
  return [
    `Imported ${counted(count, 'task')}. To be claimed again: ${returned.join(', ') || 'none'}.`,
    ...(drafts.length === 0 ? [] : [`DRAFT, because something is missing that finalizing will name: ${drafts.join(', ')}.`]),
    `Approved work goes to ${integration_branch}${integration_test === null ? '' : ` after ${integration_test}`}. The plan waits for your approval.`,
  ].join('\n')
}

async function importInto(driver: Driver, repository: Repository, document: unknown, by: string, dry: boolean) {
  const found = validateState(document, { root: null, now: await driver.now() })
  const broken = found.filter(({ severity, rule }) => severity === 'error' && rule !== REVIEWED_COMMIT)
  if (broken.length > 0) {
    const said = broken.map(({ rule, subject, message }) => `[${rule}] ${subject}: ${message}`)
    throw new Problem('bad_input', `the document is not a valid board: ${said.join('; ')}`, { details: { violations: broken } })
  }
  const fields = asFields(document) ?? {}
  const listed = entriesIn(fields['tasks'])
  const head = await commitOf(repository.root, 'HEAD')
  const specs = await specsOf(repository, head, listed)
  const goal = asFields(fields['goal']) ?? {}
  const goalSpec = await specNamed(repository, head, goal)
  const config = knownSettings(asFields(fields['config']) ?? {})
  const made = linked(
    listed.map((loose, at) => taskFrom({ ...loose, sprint: sprintOf(fields, loose) }, at + 1, specs.get(textField(loose, 'id')) ?? null)),
  )
  const wasInHand = (at: number) => inHand.includes(textField(listed[at] ?? {}, 'status'))
  const returned = made.filter(({ status }, at) => status === 'UNCLAIMED' && wasInHand(at)).map(({ id }) => id)
  const fill = async (tx: Driver, was: Stored<Board>) => {
    const { id } = was.item
    for (const spec of specs.values()) if (spec !== null) await keepSpecText(tx, id, spec)
    for (const task of made) await tasks.add(tx, { ...task, board_id: id })
    await importRecords(tx, id, fields)
    const detail = `${made.length} tasks, ${returned.length} of them to be claimed again`
    await recordActivity(tx, id, { agent: by, action: 'imported', detail })
    const imported = boardFrom(fields, was.item, made.length)
    return (await boards.replace(tx, was, { ...imported, goal: { ...imported.goal, spec_file_unchecked: goalSpec === null } })).item
  }
  const board = await beginGoal(driver, repository, { goal: textField(goal, 'description') || 'Imported', config, fill, dry }, by)
  if (!dry) await keepWork(repository, board.id, listed)
  return { board, tasks: listed.length, returned, drafts: made.filter(({ status }) => status === 'DRAFT').map(({ id }) => id) }
}

/**
 * The goal and the sprint go on as they were: their ids, since when, until when, and what a person or the circuit breaker made of them.
 * Boards are told apart by ids of their own, so that one goal may be imported twice.
 */
function boardFrom(fields: Loose, fresh: Board, tasks_added: number): Board {
  const [goal = {}, sprint = {}, breaker = {}] = ['goal', 'sprint', 'circuit_breaker'].map((section) => asFields(fields[section]) ?? {})
  const { started, deadline } = asFields(sprint['timeline']) ?? {}
  const id = textField(goal, 'id') || fresh.goal.id
  const board = {
    ...fresh,
    tasks_added,
    goal: { ...fresh.goal, id, created: textField(goal, 'created') || fresh.goal.created, spec_ref: textField(goal, 'spec_ref') || null },
    sprint: {
      ...fresh.sprint,
      id: textField(sprint, 'id') || fresh.sprint.id,
      goal_ref: id,
      timeline: { ...fresh.sprint.timeline, ...definedOnly({ started, deadline }) },
      retrospective: sprint['retrospective'] ?? null,
    },
    circuit_breaker: { ...fresh.circuit_breaker, history: breaker['history'] ?? [] },
  }
  return fitting(Board, board, 'the document does not fit')
}

/** Whether a task was planned for the sprint or for when there is time left. */
function sprintOf(fields: Loose, task: Loose): 'planned' | 'stretch' | null {
  const scope = asFields(asFields(fields['sprint'])?.['scope']) ?? {}
  const lists = ['planned', 'stretch'] as const
  return lists.find((list) => textsField(scope, list).includes(textField(task, 'id'))) ?? null
}

/** A task before it has a board. */
type Boardless = Omit<Task, 'board_id'>

/** The fields that mean the same here; what belongs to a process or a folder elsewhere is left behind. */
function taskFrom(loose: Loose, number: number, spec: SpecText | null): Boardless {
  const before = textField(loose, 'status')
  const status = inHand.includes(before) ? 'UNCLAIMED' : before
  const now = new Date().toISOString()
  const kept = Object.fromEntries(
    carried.flatMap((field) => (loose[field] === undefined || loose[field] === null ? [] : [[field, loose[field]]])),
  )
  const merge = Sha.safeParse(loose['merge_commit'])
  const task = {
    ...kept,
    number,
    status,
    created: textField(loose, 'created') || now,
    plan_approved_by: finalStates.some((state) => state === status) ? 'import' : null, // a document approves nothing: a person lets its plan be worked on
    spec_hash: spec?.spec_hash ?? null,
    spec_file_unchecked: spec === null,
    merge_commit: merge.success ? merge.data : null,
    history: [...historyOf(loose, now), { time: now, event: 'imported', status: before, ...submittedIn(loose) }],
  }
  const made = fitting(Task.omit({ board_id: true }), task, `the task ${textField(loose, 'id')} of the document does not fit`)
  const passes = made.status !== 'UNCLAIMED' || (spec !== null && gateFaults(made).length === 0)
  return passes ? made : { ...made, status: 'DRAFT' } // the gates are for every way into the plan
}

function submittedIn({ review_commit }: Loose): object {
  return typeof review_commit === 'string' ? { review_commit } : {}
}

// oxfmt-ignore
const carried = [
  'id', 'description', 'kind', 'priority', 'sprint', 'spec_ref', 'done_when', 'scope', 'depends_on', 'max_iterations', 'iteration', 'review_cycles_total', 'rejection_reason',
  'failed_by', 'blocked_reason', 'blocked_questions', 'attempted', 'superseded_by', 'supersedes', 'rescope_reason',
]

function historyOf(loose: Loose, now: string): object[] {
  const history = loose['history']
  if (!Array.isArray(history)) return []
  return history.flatMap((entry: unknown) => {
    const event = asFields(entry)
    if (event === null || textField(event, 'event') === '') return []
    return [{ ...event, time: textField(event, 'time') || textField(event, 'timestamp') || now }]
  })
}

/** Fills in what each task waits for and who waits for it. */
function linked(made: readonly Boardless[]): Boardless[] {
  const merged = new Set(made.flatMap(({ id, status }) => (status === 'MERGED' ? [id] : [])))
  const pairs = made.flatMap(({ id, depends_on }) => depends_on.map((dependency) => ({ id, dependency })))
  const waiting = Map.groupBy(pairs, ({ dependency }) => dependency)
  return made.map((task) => ({
    ...task,
    dependents: (waiting.get(task.id) ?? []).map(({ id }) => id),
    unmet: task.depends_on.filter((id) => !merged.has(id)).length + (task.plan_approved_by === null ? 1 : 0),
  }))
}

async function specsOf(repository: Repository, at: string, listed: readonly Loose[]): Promise<Map<string, SpecText | null>> {
  return new Map(await Promise.all(listed.map(async (task) => [textField(task, 'id'), await specNamed(repository, at, task)] as const)))
}

/** A spec outside the project is no spec of ours. */
async function specNamed(repository: Repository, at: string, entry: Loose): Promise<SpecText | null> {
  return readSpec(repository, at, textField(entry, 'spec_ref') || null).catch(() => null)
}

/** What was submitted elsewhere and is in this repository stays under a ref; the task's history names the commit. */
async function keepWork(repository: Repository, boardId: string, listed: readonly Loose[]): Promise<void> {
  for (const task of listed.filter((one) => inHand.includes(textField(one, 'status')))) {
    const named = Sha.safeParse(task['review_commit'])
    const commit = named.success ? await findCommit(repository.root, named.data) : null
    if (commit !== null) await keepUnderRef(repository, `${boardId}/${textField(task, 'id')}/imported`, commit)
  }
}

/** What a person switches on for a board, no document does: to work without their approval, and to reach other machines. */
const persons = ['auto_approve', 'remote', 'base_branch']

function knownSettings(config: Loose): object {
  const known = Object.keys(Board.shape.config.shape).filter((key) => !persons.includes(key))
  return Object.fromEntries(Object.entries(config).filter(([key, value]) => known.includes(key) && value !== null))
}
