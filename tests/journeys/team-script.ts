/** Scripts that play a whole team: who is asked is told by the tools on offer, what about by the words of the prompt. */

type Call = { tool: string; input: object }

interface Part {
  when: { system?: string; tools?: string[] }
  calls?: Call[]
  text?: string
  delay_ms?: number
  repeat?: boolean
}

export const planner = { tools: ['add_task'] }
export const coder = { tools: ['submit_for_review'] }
export const reviewer = { tools: ['submit_verdict'] }

/** A reply that calls tools, for anyone who the prompt fits. */
export function reply(who: { tools: string[] }, system: string, ...calls: Call[]): Part {
  return { when: { ...who, system }, calls }
}

/** Put into one script, the particular before the general: a thread plays the parts that fit it, in this order. */
export function teamScript(...parts: Part[]): object {
  const end = { when: {}, text: 'There is nothing left to do.', repeat: true }
  return { follow: 'thread', replies: [...parts, end] }
}

export const made = (path: string, content: string): Call => ({ tool: 'create_file', input: { path, content } })
export const removed = (path: string): Call => ({ tool: 'delete_file', input: { path } })
export const committed: Call = { tool: 'commit_work', input: { message: 'Do the work' } }
export const submitted: Call = { tool: 'submit_for_review', input: {} }

/** A task that passes the planner's gates. */
export function added(id: string, more: object = {}): Call {
  const plan = { kind: 'doc', spec_ref: 'spec.md', done_when: `${id}.txt exists`, scope: 'IN: one file. OUT: the rest' }
  return { tool: 'add_task', input: { id, description: `Write ${id}`, ...plan, ...more } }
}

export function finalized(task: string): Call {
  return { tool: 'finalize_task', input: { task } }
}

export function approved(...resolved: string[]): Call {
  const criteria = [{ criterion: 'done_when', evidence: 'the file is there' }]
  const prior_findings = resolved.map((id) => ({ id, status: 'RESOLVED' }))
  return { tool: 'submit_verdict', input: { verdict: 'APPROVED', criteria, prior_findings } }
}

export function rejected(file: string): Call {
  const where = { file, location: '1', criterion: 'done_when' }
  const blocker = { ...where, defect: 'The list does not name the users.', fix: 'Name each user on a line.', anomaly_logged: false }
  return { tool: 'submit_verdict', input: { verdict: 'REJECTED', blockers: [blocker] } }
}

const csv = { id: 'export-csv', description: 'Export as CSV', kind: 'doc', done_when: 'export.csv exists', scope: 'IN: CSV' }
const blocked = { blocked_reason: 'The spec names no format', blocked_questions: ['Which format?'], attempted: ['read spec.md'] }

/**
 * A team that meets every trouble once: `list` is rejected and fixed, a work on `a.txt` is in conflict and repaired to a text, `export` is
 * blocked and replaced. What is planned, how else it is worked on and reviewed is the teller's.
 */
export function troubledScript(planned: Part[], repaired: string, works: Part[], reviews: Part[] = []): object {
  return teamScript(
    reply(planner, 'TRIGGER: BLOCKED_TASK export', {
      tool: 'supersede_task',
      input: { task: 'export', reason: 'No format was named', root_cause: 'The task was too wide', replacements: [csv] },
    }),
    ...planned,
    reply(coder, 'MUST address each blocker', removed('list.txt'), made('list.txt', 'ann\nbob\n'), committed),
    reply(coder, 'MUST address each blocker', submitted),
    reply(coder, 'INTEGRATION FAILED', { tool: 'update_from_integration', input: {} }),
    reply(coder, 'INTEGRATION FAILED', removed('a.txt'), made('a.txt', repaired), committed),
    reply(coder, 'INTEGRATION FAILED', submitted),
    ...works,
    reply(coder, 'TASK ID: export-csv', made('export.csv', 'users\n'), committed),
    reply(coder, 'TASK ID: export\n', { tool: 'mark_blocked', input: blocked }),
    reply(coder, 'TASK ID: ', submitted),
    reply(reviewer, 'each earlier blocker', approved('1.1')),
    reply(reviewer, 'TASK ID: list', rejected('list.txt')),
    ...reviews,
    reply(reviewer, 'TASK ID: ', approved()),
  )
}
