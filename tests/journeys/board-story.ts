import type { Mistake, StoryLine } from './verb-story.ts'

/** A commit on the branch of a task may come before its line. */
export type BoardLine = StoryLine & { work?: string }

const coder = ['--as', 'coder-1']
const other = ['--as', 'coder-2']
const reviewer = ['--as', 'code-reviewer-1']

function plan(id: string, ...more: string[]): string[] {
  const done = `${id}.txt lists 2 users`
  // oxfmt-ignore
  return [
    '--id', id, '--description', `Write ${id}`, '--spec', 'spec.md', '--done-when', done, '--scope', `IN: ${id}.txt`, '--kind', 'doc', ...more,
  ]
}

const findings = JSON.stringify([{ file: 'two-a.txt', location: '1', defect: 'It lists one user', fix: 'List both of them' }])

/** A goal from its board to its end and into another project's board, by every verb there is. */
export function boardStory(files: StoryFiles): BoardLine[] {
  return [...toTheFirstMerge, ...throughTrouble(files), ...toTheEnd(files)]
}

type StoryFiles = Record<'replacements' | 'verdict' | 'state' | 'out', string>

// oxfmt-ignore
const toTheFirstMerge: BoardLine[] = [
  { verb: 'init', words: ['List the users', '--spec', 'spec.md'], dry: true, says: /"status": "IN_PROGRESS"/ },
  { verb: 'config', words: ['--integration-test', 'true', '--no-auto-approve'], dry: true, says: /"integration_test": "true"/ },
  { verb: 'config', words: [], looks: true, says: /"max_review_cycles": 5,[^]*"integration_test": "true"/ },
  { verb: 'sync', words: [], dry: true, says: /"outcome": "current"/ },
  { verb: 'add', words: plan('one', '--sprint', 'stretch'), dry: true, says: /"sprint": "stretch"/ },
  { verb: 'edit', words: ['one', '--priority', '2'], dry: true, says: /"priority": 2/ },
  { verb: 'finalize', words: ['one'], dry: true, says: /"status": "UNCLAIMED"/ },
  { verb: 'approve-plan', words: [], dry: true, says: /"approved": \[\s+"one"/ },
  { verb: 'list', words: ['--status', 'UNCLAIMED'], looks: true, says: /"id": "one"/ },
  { verb: 'show', words: ['one'], looks: true, says: /"done_when": "one\.txt lists 2 users"/ },
  { verb: 'next', words: [], looks: true, says: /"to_claim": \[\s+"one"/ },
  { verb: 'boards', words: [], looks: true, says: /"goal": "List the users"/ },
  { verb: 'view', words: [], looks: true, says: /"waiting_for_approval": 0/ },
  { verb: 'graph', words: ['one'], looks: true, says: /"left_out": 0/ },
  { verb: 'alarms', words: [], looks: true, says: /"count": 0/ },
  { verb: 'specify', words: ['spec.md'], dry: true, says: /"spec_ref": "spec.md"/ },
  { verb: 'claim', words: [...coder], dry: true, says: /"status": "CLAIMED"/ },
  { verb: 'anomaly', words: ['spec_gap', '--task', 'one', '--details', '{"missing": "the unit"}', ...coder], dry: true, says: /"reporter": "coder-1"/ },
  { verb: 'discover', words: ['The clock is wrong', '--task', 'one', '--severity', 'high', '--urgency', 'immediate', ...coder], dry: true, says: /"urgency": "immediate"/ },
  { verb: 'next', words: [], looks: true, says: /"to_settle": \[\s+"discovery_/ },
  { verb: 'records', words: ['discovery'], looks: true, says: /"description": "The clock is wrong"/ },
  { verb: 'note', words: ['Mind the order', '--task', 'one'], dry: true, says: /"message": "Mind the order"/ },
  { verb: 'spec-change', words: ['--spec', 'spec.md#users', '--change', 'Says which', '--triggered-by', 'one'], dry: true, says: /"change": "Says which"/ },
  { verb: 'submit', words: ['one', ...coder], work: 'one', dry: true, says: /"status": "READY_FOR_REVIEW"/ },
  { verb: 'diff', words: ['one'], looks: true, says: /"path": "one\.txt",\s+"status": "added"/ },
  { verb: 'files', words: ['one'], looks: true, says: /"path": "one\.txt",\s+"state": "changed"/ },
  { verb: 'file', words: ['one', 'spec.md'], looks: true, says: /"text": "# Users/ },
  { verb: 'review', words: ['one', ...reviewer], dry: true, says: /"reviewing_by": "code-reviewer-1"/ },
  { verb: 'release', words: ['one', '--review', '--reason', 'Lunch', ...reviewer], dry: true, says: /"reviewing_by": null/ },
  { verb: 'review', words: [...reviewer], says: /"spec_delta": null/ },
  { verb: 'verdict', words: ['one', '--approve', 'one.txt lists both', ...reviewer], dry: true, says: /"status": "APPROVED"/ },
  { verb: 'merge', words: ['one', ...reviewer], dry: true, says: /"status": "MERGED"/ },
]

function throughTrouble({ replacements, verdict }: StoryFiles): BoardLine[] {
  // oxfmt-ignore
  return [
    { verb: 'add', words: plan('two'), says: /"id": "two"/ },
    { verb: 'add', words: plan('three', '--depends-on', 'two'), says: /"depends_on": \[\s+"two"/ },
    { verb: 'finalize', words: ['two'], says: /"status": "UNCLAIMED"/ },
    { verb: 'approve-plan', words: ['two'], says: /"two"/ },
    { verb: 'claim', words: ['two', ...coder], says: /"assigned_to": "coder-1"/ },
    { verb: 'intend', words: ['two', '--intent', 'two.txt lists both', '--files-to-modify', 'two.txt', ...coder], dry: true, says: /"pre_execution_checkpoint"/ },
    { verb: 'handoff', words: ['two', '--summary', 'Half is there', '--next-action', 'The other half', ...coder], dry: true, says: /"next_action": "The other half"/ },
    { verb: 'claim', words: ['two', ...other], says: /"assigned_to": "coder-2"/ },
    { verb: 'block', words: ['two', '--blocked-reason', 'The order is not said.', '--blocked-questions', 'By name?', '--attempted', 'Read the spec', ...other], dry: true, says: /"status": "BLOCKED"/ },
    { verb: 'unblock', words: ['two', '--answer', 'By name'], dry: true, says: /"status": "UNCLAIMED"/ },
    { verb: 'claim', words: ['two', ...other], says: /"status": "CLAIMED"/ },
    { verb: 'release', words: ['two', '--reason', 'Not today', '--force'], dry: true, says: /"status": "UNCLAIMED"/ },
    { verb: 'hold', words: ['two', '--reason', 'Wait for the spec'], dry: true, says: /"status": "BLOCKED"/ },
    { verb: 'supersede', words: ['two', '--replacements', replacements, '--reason', 'Two things', '--root-cause', 'Cut too large'], dry: true, says: /"superseded_by": \[\s+"two-a",\s+"two-b"/ },
    { verb: 'abandon', words: ['three', '--reason', 'Nobody wants it', '--root-cause', 'It was a guess'], dry: true, says: /"status": "ABANDONED"/ },
    { verb: 'leave', words: [...other], dry: true, says: /"left": "coder-2"/ },
    { verb: 'approve-plan', words: [], says: /"two-a",\s+"two-b"/ },
    { verb: 'claim', words: ['two-a', ...coder], says: /"status": "CLAIMED"/ },
    { verb: 'submit', words: ['two-a', ...coder], work: 'two-a', says: /READY_FOR_REVIEW/ },
    { verb: 'review', words: ['two-a', ...reviewer], says: /"id": "two-a"/ },
    { verb: 'verdict', words: ['two-a', '--file', verdict, ...reviewer], dry: true, says: /"status": "REJECTED"/ },
    { verb: 'free-agent', words: ['code-reviewer-1', '--force', '--reason', 'Its terminal was closed'], dry: true, says: /"agent": "code-reviewer-1"/ },
    { verb: 'claim', words: ['two-a', ...coder], says: /"status": "CLAIMED"/ },
    { verb: 'submit', words: ['two-a', ...coder], work: 'two-a', says: /READY_FOR_REVIEW/ },
    { verb: 'reject', words: ['two-a', '--findings', findings], dry: true, says: /"status": "REJECTED"/ },
  ]
}

function toTheEnd({ state, out }: StoryFiles): BoardLine[] {
  // oxfmt-ignore
  return [
    { verb: 'log', words: ['--limit', '5'], looks: true, says: /"action": "rejected"/ },
    { verb: 'settle', words: ['--reject', 'It is right'], dry: true, says: /"dismissed": "It is right"/ },
    { verb: 'metrics', words: [], looks: true, says: /"tasks_stretch_done": 1/ },
    { verb: 'report', words: [], looks: true, says: /stretch: 1 of 1/ },
    { verb: 'retrospective', words: ['The plan held', '--spec-gaps', 'The order', '--actions', 'Say it'], dry: true, says: /"spec_gaps": \[\s+"The order"/ },
    { verb: 'analyze', words: [], dry: true, says: /"response": "none"/ },
    { verb: 'validate', words: [], looks: true, says: /"valid": true/ },
    { verb: 'export', words: [], looks: true, says: /"goal_ref"/ },
    { verb: 'export', words: ['--out', out], says: /"file"/ },
    { verb: 'pause', words: ['Lunch'], dry: true, says: /"name": "PAUSE"/ },
    { verb: 'resume', words: [], dry: true, says: /"signal": null/ },
    { verb: 'checkpoint', words: ['Halfway'], dry: true, says: /"report_file": ".troupe\/reports\/checkpoint-/ },
    { verb: 'next', words: [], looks: true, says: /"to_decide": \[\s+"CHECKPOINT by [^"]*: Halfway"/ },
    { verb: 'resume', words: ['Go on as planned'], says: /"decision": "Go on as planned"/ },
    { verb: 'abort', words: ['The goal was wrong'], dry: true, says: /"status": "ABORTED"/ },
    { verb: 'validate', words: [state], looks: true, says: /"valid": true/ },
    { verb: 'import', words: [state], dry: true, says: /"tasks": 1/ },
  ]
}

/** What does not fit: the words, and the part of the sentence that helps. The board has one draft, `one`, and nobody is registered. */
// oxfmt-ignore
export const boardMistakes: Mistake[] = [
  { verb: 'init', words: [], says: /missing required argument 'goal'/ },
  { verb: 'init', words: ['Another'], says: /is at a goal already.*Try: troupe board abort/ },
  { verb: 'init', words: ['X', '--spec', 'gone.md'], says: /gone\.md is not a file of this project; write it and commit it/ },
  { verb: 'init', words: ['X', '--deadline', 'soon'], says: /--deadline is "soon"; expected a time such as 2026-11-30T18:00:00Z/ },
  { verb: 'config', words: ['--lease-duration', 'soon'], says: /--lease-duration takes a whole number above 0/ },
  { verb: 'config', words: ['--lease-duration', '0'], says: /--lease-duration takes a whole number above 0/ },
  { verb: 'config', words: ['--remote', 'origin'], says: /unknown option '--remote'/ },
  { verb: 'config', words: ['--auto-approve', '--as', 'coder-1'], says: /unknown option '--as'/ },
  { verb: 'add', words: ['--done-when', 'x'], says: /--description/ },
  { verb: 'add', words: ['--description', 'X', '--id', '../x'], says: /--id .*small letters/ },
  { verb: 'add', words: ['--description', 'X', '--id', 'one'], says: /there is a task one on this board already/ },
  { verb: 'add', words: ['--description', 'X', '--priority', 'high'], says: /--priority takes a whole number from 1 to 5;/ },
  { verb: 'add', words: ['--description', 'X', '--priority', '9'], says: /--priority takes a whole number from 1 to 5;/ },
  { verb: 'add', words: ['--description', 'X', '--max-iterations', '0'], says: /--max-iterations takes a whole number above 0;/ },
  { verb: 'add', words: ['--description', 'X', '--kind', 'tests'], says: /--kind is "tests"; expected one of code, doc, config, spec/ },
  { verb: 'add', words: ['--description', 'X', '--depends-on', 'onne'], says: /there is no task "onne" on this board; did you mean one\?/ },
  { verb: 'add', words: ['--description', 'X', '--as', 'coder-1'], code: 13, says: /coder-1 may not do this/ },
  { verb: 'edit', words: ['one', '--depends-on', 'one'], says: /one cannot depend on itself/ },
  { verb: 'edit', words: ['onne', '--priority', '1'], says: /did you mean one\?/ },
  { verb: 'edit', words: ['one'], says: /say what changes/ },
  { verb: 'finalize', words: ['one'], says: /one stays DRAFT\. spec_ref: .*for example/ },
  { verb: 'approve-plan', words: ['one'], says: /one does not wait for approval; only finalized tasks do/ },
  { verb: 'approve-plan', words: ['onne'], says: /there is no task "onne" on this board; did you mean one\?/ },
  { verb: 'approve-plan', words: ['--as', 'coder-1'], says: /unknown option '--as'/ },
  { verb: 'abort', words: ['--as', 'planner-1'], says: /unknown option '--as'/ },
  { verb: 'note', words: ['x', '--as', 'coder-1'], says: /unknown option '--as'/ },
  { verb: 'finalize', words: ['one', '--as', 'coder-1'], code: 13, says: /coder-1 may not do this/ },
  { verb: 'list', words: ['--status', 'DONE'], says: /--status .*DRAFT.*UNCLAIMED/ },
  { verb: 'show', words: [], says: /missing required argument 'task'/ },
  { verb: 'show', words: ['onne'], says: /did you mean one\?/ },
  { verb: 'log', words: ['--limit', 'all'], says: /--limit .*number/ },
  { verb: 'claim', words: ['one'], says: /done by an agent: say which with --as coder-1/ },
  { verb: 'claim', words: ['one', '--as', 'Bob'], says: /Bob.*coder-1|coder-N/ },
  { verb: 'claim', words: ['one', '--as', 'coder-1'], says: /one is DRAFT|it is DRAFT/ },
  { verb: 'submit', words: ['one', '--as', 'coder-1'], says: /cannot submit this task: it is DRAFT and must be CLAIMED first/ },
  { verb: 'review', words: ['one', '--as', 'code-reviewer-1'], says: /READY_FOR_REVIEW/ },
  { verb: 'review', words: [], says: /done by an agent: say which with --as code-reviewer-1/ },
  { verb: 'verdict', words: ['one', '--file', 'verdict.yaml', '--as', 'code-reviewer-1'], says: /one is DRAFT; only a commit that was submitted can be judged/ },
  { verb: 'verdict', words: ['one', '--file', 'gone.json', '--as', 'code-reviewer-1'], says: /gone\.json cannot be read \(ENOENT\); name a YAML or JSON file, or - for standard input/ },
  { verb: 'verdict', words: ['one', '--as', 'code-reviewer-1'], says: /--verdict is missing/ },
  { verb: 'verdict', words: ['one', '--approve', 'x', '--as', 'code-reviewer-1'], says: /one is DRAFT; only a commit that was submitted can be judged/ },
  { verb: 'verdict', words: ['one', '--file', 'spec.md', '--approve', 'x', '--as', 'code-reviewer-1'], says: /with --file, or with --approve and --resolved, not both/ },
  { verb: 'merge', words: ['one'], says: /cannot merge this task: it is DRAFT and must be APPROVED first/ },
  { verb: 'block', words: ['one', '--blocked-reason', 'x'], says: /--blocked-questions/ },
  { verb: 'unblock', words: ['one', '--answer', 'x'], says: /must be BLOCKED first\. Try: troupe board finalize one$/m },
  { verb: 'release', words: ['one'], says: /--reason/ },
  { verb: 'hold', words: ['one', '--reason', 'x'], says: /cannot hold this task: it is DRAFT and must be UNCLAIMED/ },
  { verb: 'leave', words: [], says: /done by an agent/ },
  { verb: 'leave', words: ['--as', 'coder-77'], says: /coder-77 is not on this board; nobody is/ },
  { verb: 'supersede', words: ['one', '--reason', 'x', '--root-cause', 'y'], says: /--replacements/ },
  { verb: 'supersede', words: ['one', '--reason', ' ', '--root-cause', 'y', '--replacements', 'spec.md'], says: /--reason is empty[^]*--replacements/ },
  { verb: 'abandon', words: ['one', '--reason', 'x'], says: /--root-cause/ },
  { verb: 'anomaly', words: ['trouble'], says: /trouble.*retry_loop/ },
  { verb: 'anomaly', words: ['retry_loop', '--task', 'one'], says: /retry_loop anomaly is incomplete: count takes a whole number above 0; error_pattern is missing/ },
  { verb: 'anomaly', words: ['retry_loop', '--details', 'often'], says: /often cannot be read \(ENOENT\); name a YAML or JSON file/ },
  { verb: 'discover', words: ['x', '--severity', 'huge'], says: /severity.*critical/ },
  { verb: 'settle', words: ['--reject', 'x'], says: /no discovery waits for an answer/ },
  { verb: 'settle', words: ['nope', '--defer', 'x'], says: /there is no discovery nope on this board/ },
  { verb: 'settle', words: ['nope'], says: /exactly one of task, defer and reject/ },
  { verb: 'note', words: ['  '], says: /message/ },
  { verb: 'handoff', words: ['one', '--summary', 'x', '--next-action', 'y', '--as', 'coder-1'], code: 13, says: /one is in the hands of nobody, not of coder-1/ },
  { verb: 'spec-change', words: ['--spec', 'spec.md'], says: /--change/ },
  { verb: 'spec-change', words: ['--spec', 'gone.md', '--change', 'x', '--triggered-by', 'y'], says: /gone\.md is not a file of this project; write it and commit it/ },
  { verb: 'resume', words: [], says: /not stopped; there is nothing to resume/ },
  { verb: 'retrospective', words: [' '], says: /<notes>/ },
  { verb: 'validate', words: ['gone.yaml'], says: /gone\.yaml cannot be read \(ENOENT\); name a YAML or JSON file/ },
  { verb: 'validate', words: ['spec.md'], says: /<state> .*expected an object/ },
  { verb: 'import', words: ['gone.yaml'], says: /gone\.yaml cannot be read/ },
  { verb: 'export', words: ['--out', 'spec.md'], says: /spec\.md is there already; choose another name/ },
  { verb: 'list', words: ['--cwd', 'spec.md'], says: /spec\.md is not a folder; name one that exists/ },
  { verb: 'list', words: ['--board', 'nope'], says: /nope/ },
]
