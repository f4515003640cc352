/** How each verb of the board is typed; its help shows it. A verb without an example does not compile. */
export const boardExamples = {
  leave: '--as coder-1',
  'free-agent': 'coder-1 --force --reason "its terminal was closed"',
  claim: '--as coder-1',
  submit: 'task-1 --as coder-1',
  block: 'task-1 --reason "The spec gives no order" --question "By name or by id?" --as coder-1',
  handoff: 'task-1 --summary "The list is there" --next "Its tests" --as coder-1',
  review: '--as code-reviewer-1',
  verdict: 'task-1 verdict.yaml --as code-reviewer-1',
  merge: 'task-1 --as code-reviewer-1',
} as const
