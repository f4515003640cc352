import { resultsOf, type Line, type Scene } from './scene.ts'
import { demoPieces } from './demo-board.ts'

type Call = NonNullable<Line['calls']>[number]

/** A task the rehearsal knows how to plan, to do and to judge. */
export interface Piece {
  id: string
  plan: { description: string; kind: 'code' | 'doc'; done_when: string; scope: string; depends_on: string[] }
  /** What a coder does first. */
  first: readonly Call[]
  /** What it does when that was rejected; nothing when the first attempt is good. */
  fix: readonly Call[]
  /** What it does when an earlier goal left that file behind; nothing where a goal is rehearsed once. */
  again?: readonly Call[]
  /** How a reviewer tells: words a file must hold, and a command that must end with 0. */
  proof: { path: string; words: string; command: string | null }
  blocker: { defect: string; fix: string }
}

/** Whether someone of the board is asked. */
export function isOnBoard(scene: Scene): boolean {
  return ['add_task', 'submit_for_review', 'submit_verdict'].some((tool) => scene.offers(tool))
}

/** Plays planner, coder and code reviewer of three small tasks, of which one is handed in unfinished and rejected. */
export function rehearseBoard(scene: Scene): Line {
  const pieces = demoPieces(scene.system) ?? notes
  if (scene.offers('add_task')) return plan(scene, pieces)
  const id = /^TASK ID: (\S+)/m.exec(scene.system)?.[1]
  const piece = pieces.find((one) => one.id === id)
  if (piece === undefined) return { text: 'Rehearsal model: I only know the tasks that the rehearsal planned.' }
  return scene.offers('submit_for_review') ? code(scene, piece) : review(scene, piece)
}

function plan(scene: Scene, pieces: readonly Piece[]): Line {
  const spec_ref = /^SPEC (\S+):$/m.exec(scene.system)?.[1]
  if (!scene.system.includes('INITIAL_PLANNING')) return { text: 'Rehearsal model: I plan once, from the spec of the goal.' }
  if (spec_ref === undefined) return missSpec(scene)
  if (resultsOf(scene, 'add_task').length === 0) {
    const calls = pieces.map((piece) => ({ tool: 'add_task', input: { id: piece.id, spec_ref, ...piece.plan } }))
    return { text: `Rehearsal model: I cut the goal into ${pieces.length} tasks.`, calls }
  }
  if (resultsOf(scene, 'finalize_task').length > 0) return { text: 'Rehearsal model: the plan waits for your approval.' }
  return { text: '', calls: pieces.map(({ id }) => ({ tool: 'finalize_task', input: { task: id } })) }
}

/** Without a spec there is no task; only what is logged is seen by the person who named none. */
function missSpec(scene: Scene): Line {
  const text = 'Rehearsal model: the goal names no spec, and I plan only from one.'
  if (resultsOf(scene, 'log_anomaly').length > 0) return { text }
  const details = { gap: 'the goal names no spec; end it and start it again with a spec file' }
  return { text, calls: [{ tool: 'log_anomaly', input: { type: 'spec_gap', details } }] }
}

function code(scene: Scene, { plan: { description }, proof, first, fix, again = [] }: Piece): Line {
  const work = scene.system.includes('You MUST address each blocker') ? fix : first
  if (resultsOf(scene, 'write_checkpoint').length === 0)
    return { text: '', calls: [{ tool: 'write_checkpoint', input: { intent: description, files_to_modify: [proof.path] } }] }
  const commit = { tool: 'commit_work', input: { message: description } }
  const [committed, ...more] = resultsOf(scene, 'commit_work')
  if (committed === undefined) return { text: '', calls: [...work, commit] }
  const isThereAlready = resultsOf(scene, 'create_file').some(({ outcome }) => outcome !== 'ok')
  if (isThereAlready && more.length === 0 && again.length > 0) return { text: '', calls: [...again, commit] }
  const [refused] = resultsOf(scene, 'submit_for_review')
  if (refused !== undefined) return { text: 'Rehearsal model: I cannot hand this in.', calls: [giveUp(proof.path, refused.output)] }
  return { text: 'Rehearsal model: handed in.', calls: [{ tool: 'submit_for_review', input: {} }] }
}

/** A script tries nothing new: without this it would hand in the same until its turns are used up. */
function giveUp(path: string, output: string): Call {
  const blocked_questions = [`Is ${path} done already, so that the task can be abandoned?`]
  return { tool: 'mark_blocked', input: { blocked_reason: output.split('\n')[0] ?? '', blocked_questions, attempted: [] } }
}

/** A verdict rests on what the command said, and where none may be run on what the file holds. */
function review(scene: Scene, { proof: { path, words, command }, blocker }: Piece): Line {
  const read = resultsOf(scene, 'read_file').at(-1)
  if (read === undefined) {
    const run = command === null ? [] : [{ tool: 'execute_command', input: { command } }]
    return { text: '', calls: [...run, { tool: 'read_file', input: { path } }] }
  }
  const ran = resultsOf(scene, 'execute_command').at(-1)
  const judgedByCommand = ran !== undefined && ran.outcome !== 'denied'
  const good = judgedByCommand ? ran.outcome === 'ok' : read.output.includes(words)
  const evidence = judgedByCommand ? `${command} ended ${good ? 'with 0' : 'with a failure'}` : `${path} was read`
  const prior_findings = [...scene.system.matchAll(/^- (\d+\.\d+) /gm)].map(([, id]) => ({
    id,
    status: good ? 'RESOLVED' : 'STILL PRESENT',
  }))
  const found = good
    ? { criteria: [{ criterion: 'done_when', evidence }] }
    : { blockers: [{ file: path, location: '1', criterion: 'done_when', anomaly_logged: false, ...blocker }] }
  const input = { verdict: good ? 'APPROVED' : 'REJECTED', prior_findings, ...found }
  return { text: `Rehearsal model: ${evidence}.`, calls: [{ tool: 'submit_verdict', input }] }
}

const LAST = 'Read and checked.'

/** What is rehearsed in a project we know nothing of: three files of notes, the first of them without its last line. */
const notes: readonly Piece[] = [1, 2, 3].map((number) => {
  const path = `rehearsal/note-${number}.md`
  const unfinished = `# Note ${number}\n\nWritten by the rehearsal model; no AI model was asked.\n`
  const finished = `${unfinished}\n${LAST}\n`
  return {
    id: `note-${number}`,
    plan: {
      description: `Write ${path}`,
      kind: 'doc',
      done_when: `${path} contains "${LAST}"`,
      scope: `IN: ${path}. OUT: every other file`,
      depends_on: [],
    },
    first: [{ tool: 'create_file', input: { path, content: number === 1 ? unfinished : finished } }],
    fix: [{ tool: 'update_file', input: { path, old_text: unfinished, new_text: finished } }],
    again: [{ tool: 'update_file', input: { path, old_text: LAST, new_text: `${LAST}\nRead and checked for another goal.` } }],
    proof: { path, words: LAST, command: null },
    blocker: { defect: `The note does not end with "${LAST}"`, fix: `Add "${LAST}" as the last line.` },
  }
})
