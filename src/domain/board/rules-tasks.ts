import { AgentId, roleOfAgent } from './agent.ts'
import { BoardConfig } from './board.ts'
import type { TaskEventName } from './event.ts'
import {
  applyRules,
  entriesIn,
  hasValue,
  textField,
  textsField,
  type Loose,
  type LooseState,
  type BoardRule,
  type Violation,
  violation,
  type BoardFacts,
} from './rule.ts'
import { droppedStates, taskFlow, type TaskState } from './task-flow.ts'
import { gateFaults } from './task-gates.ts'
import { TaskId, TaskPlan } from './task.ts'

const undefinedYet: readonly string[] = [taskFlow.initial, ...droppedStates]

/** The rules about single tasks. */
export function taskRules({ tasks, fields }: LooseState, world: BoardFacts): Violation[] {
  const late = applyRules(tasks, [vagueRule, iterationRule(fields)]).map((found) => ({ ...found, severity: 'warning' as const }))
  return [...applyRules(tasks, [...rules, ...rulesAbout(world)]), ...late, ...twice(tasks)]
}

/** A warning: the task may have passed an earlier gate. */
const vagueRule: BoardRule = [
  57,
  (task) => {
    if (!hasValue(task, 'done_when') || undefinedYet.includes(textField(task, 'status')) || is(task, 'MERGED')) return null
    const plan = { description: '', kind: 'doc', spec_ref: '', scope: '', done_when: textField(task, 'done_when') } as const
    return gateFaults(plan).find(({ gate }) => gate === 'done_when')?.reason ?? null
  },
]

/** A warning: a person may have lowered the limit since. */
function iterationRule(fields: Loose): BoardRule {
  const { data } = BoardConfig.pick({ max_coder_iterations: true }).safeParse(fields['config'] ?? {})
  return [
    58,
    (task) => {
      const most = task['max_iterations'] ?? data?.max_coder_iterations
      const iteration = task['iteration']
      return typeof most === 'number' && typeof iteration === 'number' && iteration > most && `iteration ${iteration} of at most ${most}`
    },
  ]
}

function isOtherAgent(task: Loose): boolean {
  const id = textField(task, 'assigned_to')
  return AgentId.safeParse(id).success && roleOfAgent(id) !== 'coder'
}

// oxfmt-ignore
const rules: readonly BoardRule[] = [
  [2,  (task) => !isKnown(task) && `${JSON.stringify(task['status'])} is not a state of a task; there are ${taskFlow.states.join(', ')}`],
  [3,  (task) => is(task, 'DRAFT') && hasValue(task, 'assigned_to') && 'a DRAFT is assigned to nobody'],
  [4,  (task) => is(task, 'CLAIMED') && !hasValue(task, 'assigned_to') && 'a CLAIMED task is assigned to somebody'],
  [5,  (task) => is(task, 'READY_FOR_REVIEW') && !hasValue(task, 'review_commit') && 'a task that waits for review names its review_commit'],
  [6,  (task) => is(task, 'CLAIMED') && !hasValue(task, 'worktree') && 'a CLAIMED task has a worktree'],
  [7,  (task) => is(task, 'CLAIMED') && !hasValue(task, 'base_commit') && task['integration_fix'] !== true && 'a CLAIMED task has a base_commit'],
  [8,  (task) => is(task, 'CLAIMED') && !hasValue(task, 'lease_expires') && 'a CLAIMED task has a lease'],
  [9,  (task) => is(task, 'MERGED') && hasValue(task, 'worktree') && 'a MERGED task has no worktree any more'],
  [12, (task) => is(task, 'BLOCKED') && !(hasValue(task, 'blocked_reason') && hasValue(task, 'blocked_questions')) && 'a BLOCKED task says why and asks'],
  [13, (task) => is(task, 'REJECTED') && !hasValue(task, 'rejection_reason') && 'a REJECTED task has a rejection_reason'],
  [14, (task) => is(task, 'SUPERSEDED') && !(hasValue(task, 'superseded_by') && hasValue(task, 'rescope_reason')) && 'a SUPERSEDED task names what replaces it and why'],
  [18, (task) => task['integration_fix'] === true && !happened(task, 'integration_failed') && 'integration_fix without an integration_failed in its history'],
  [20, (task) => new Set(textsField(task, 'failed_by')).size < textsField(task, 'failed_by').length && 'failed_by names a coder twice'],
  [21, (task) => !undefinedYet.includes(textField(task, 'status')) && !hasValue(task, 'done_when') && 'only a DRAFT may lack done_when'],
  [22, (task) => !undefinedYet.includes(textField(task, 'status')) && !hasValue(task, 'spec_ref') && 'only a DRAFT may lack spec_ref'],
  [39, (task) => !TaskId.safeParse(task['id']).success && `${JSON.stringify(task['id'])} cannot be the id of a task; it takes small letters, digits and -`],
  [41, (task) => is(task, 'APPROVED') && !(hasValue(task, 'approved_by') && hasValue(task, 'review_commit')) && 'an APPROVED task names its reviewer and the commit'],
  [42, (task) => is(task, 'MERGED') && !hasValue(task, 'merge_commit') && !happened(task, 'imported') && 'a MERGED task names its merge_commit'],
  [43, (task) => textsField(task, 'blocked_questions').length > 3 && 'a task asks at most 3 questions'],
  [44, (task) => hasValue(task, 'reviewing_by') && !hasValue(task, 'review_lease_expires') && 'a review has a lease'],
  [60, (task) => task['preparing'] === true && !is(task, 'CLAIMED') && 'only the worktree of a CLAIMED task is being made'],
  [53, (task) => is(task, 'MERGED') && !hasValue(task, 'review_commit') && !happened(task, 'imported') && 'a MERGED task names the commit that was reviewed'],
  [55, (task) => isOtherAgent(task) && `it is assigned to ${textField(task, 'assigned_to')}, which is not a coder`],
  [59, (task) => hasValue(task, 'priority') && !TaskPlan.shape.priority.safeParse(task['priority']).success && `priority ${JSON.stringify(task['priority'])} is not a whole number from 1 to 5`],
  [45, (task) => hasValue(task, 'reviewing_by') && textField(task, 'reviewing_by') === textField(task, 'assigned_to') && 'nobody reviews its own work'],
]

function rulesAbout({ specExists, folderExists }: BoardFacts): BoardRule[] {
  return [
    [
      11,
      (task) =>
        folderExists !== null &&
        is(task, 'CLAIMED') &&
        task['preparing'] !== true &&
        hasValue(task, 'worktree') &&
        !folderExists(textField(task, 'worktree')) &&
        `its worktree ${textField(task, 'worktree')} is not there`,
    ],
    [23, (task) => specExists !== null && specMatters(task) && !specExists(fileOf(task)) && `its spec ${fileOf(task)} is not there`],
  ]
}

function specMatters(task: Loose): boolean {
  return hasValue(task, 'spec_ref') && task['spec_file_unchecked'] !== true && !undefinedYet.includes(textField(task, 'status'))
}

function fileOf(task: Loose): string {
  return textField(task, 'spec_ref').split('#')[0] ?? ''
}

/** Ids are unique. */
function twice(tasks: readonly Loose[]): Violation[] {
  const byId = Map.groupBy(tasks, (task) => textField(task, 'id'))
  const repeated = [...byId].filter(([, same]) => same.length > 1)
  return repeated.map(([id, { length }]) => violation(40, id, `there are ${length} tasks of this id`))
}

function is(task: Loose, status: TaskState): boolean {
  return task['status'] === status
}

function isKnown(task: Loose): boolean {
  return taskFlow.states.some((state) => state === task['status'])
}

function happened(task: Loose, event: TaskEventName): boolean {
  return entriesIn(task['history']).some((entry) => entry['event'] === event)
}

/** The rules about how tasks hang together. */
export function dependencyRules({ tasks }: LooseState): Violation[] {
  const byId = new Map(tasks.map((task) => [textField(task, 'id'), task]))
  const single = tasks.flatMap((task) => {
    const dependsOn = textsField(task, 'depends_on')
    const unknown = dependsOn.filter((id) => !byId.has(id))
    const unmerged = dependsOn.filter((id) => byId.has(id) && byId.get(id)?.['status'] !== 'MERGED')
    return [
      ...unknown.map((id) => violation(15, textField(task, 'id'), `it depends on ${id}, which is not on the board`)),
      ...textsField(task, 'superseded_by').flatMap((id) =>
        byId.has(id) ? [] : [violation(56, textField(task, 'id'), `it is superseded by ${id}, which is not on the board`)],
      ),
      ...(task['status'] === 'CLAIMED'
        ? unmerged.map((id) => violation(16, textField(task, 'id'), `it is CLAIMED although ${id} is not MERGED`))
        : []),
    ]
  })
  const circles = circlesIn(byId).map((circle) =>
    violation(17, circle[0] ?? '', `dependencies lead in a circle: ${[...circle, circle[0]].join(' → ')}`),
  )
  return [...single, ...circles]
}

/** Each circle once. Without recursion: a chain may be longer than the stack is deep. */
function circlesIn(tasks: ReadonlyMap<string, Loose>): string[][] {
  const done = new Set<string>()
  const circles: string[][] = []
  for (const start of tasks.keys()) {
    const path: string[] = []
    const onPath = new Map<string, number>()
    const todo: { id: string; leave: boolean }[] = [{ id: start, leave: false }]
    for (let at = todo.pop(); at !== undefined; at = todo.pop()) {
      if (at.leave) {
        onPath.delete(path.pop() ?? '')
        done.add(at.id)
        continue
      }
      const seenAt = onPath.get(at.id)
      if (seenAt !== undefined) circles.push(path.slice(seenAt))
      const task = tasks.get(at.id)
      if (seenAt !== undefined || done.has(at.id) || task === undefined) continue
      onPath.set(at.id, path.length)
      path.push(at.id)
      todo.push({ id: at.id, leave: true }, ...textsField(task, 'depends_on').map((id) => ({ id, leave: false })))
    }
  }
  return circles
}
