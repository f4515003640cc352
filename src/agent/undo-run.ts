import * as z from 'zod'
import type { CheckpointSettings } from '../checkpoints/workspace.ts'
import { defineOperation } from '../domain/operation.ts'
import { Problem } from '../domain/problem.ts'
import type { Driver } from '../store/driver.ts'
import { runs } from '../store/run-tables.ts'
import { listingOf } from './runs.ts'
import { CheckpointView, diffThread, FileDiffs, GoneBack, listCheckpoints, restoreThread, undoTurn, type UndoContext } from './undo.ts'
import { changesText, checkpointLine, goneBackText } from './undo-text.ts'

/** Where the files of runs are gone back with. */
export interface RunFilesContext {
  driver: Driver
  checkpointsIn: (folder: string) => Promise<CheckpointSettings | undefined>
  now: () => Date
  /** Only tried: nothing is touched. */
  dry?: boolean
}

const run = z.string().min(1).describe('the id of a run')
const force = z.boolean().default(false).describe('also put back files that were changed since; what is there now is kept first')
const checkpoint = z.coerce.number().int().min(1).describe('the number of a checkpoint')

const runCheckpoints = defineOperation({
  name: 'run.checkpoints',
  summary: 'List what the thread of a run changed in files, oldest first',
  by: ['person'],
  effect: 'read',
  command: 'runs checkpoints <run>',
  input: z.strictObject({ run }),
  output: z.object({ checkpoints: z.array(CheckpointView) }),
  example: { run: 'run_01' },
  tell: ({ checkpoints }) => (checkpoints.length === 0 ? 'No files were changed.' : checkpoints.map(checkpointLine).join('\n')),
  run: async (context: RunFilesContext, input) => ({ checkpoints: await listCheckpoints(await filesOf(context, input.run)) }),
})

const undoRun = defineOperation({
  name: 'run.undo',
  summary: 'Undo what a run did to files; again for the run before it in the same thread',
  by: ['person'],
  effect: 'change',
  command: 'runs undo <run>',
  input: z.strictObject({ run, force }),
  output: GoneBack,
  example: { run: 'run_01' },
  tell: goneBackText,
  run: async (context: RunFilesContext, input) => {
    const forced = { operation: 'run.undo', input: { ...input, force: true } }
    return undoTurn(await filesOf(context, input.run, 'ended'), { force: input.force, forced })
  },
})

const restoreRun = defineOperation({
  name: 'run.restore',
  summary: 'Put files back as they were before a checkpoint of a run; restore the checkpoint of an undo to redo',
  by: ['person'],
  effect: 'change',
  command: 'runs restore <run> <checkpoint>',
  input: z.strictObject({ run, checkpoint, force }),
  output: GoneBack,
  example: { run: 'run_01', checkpoint: 1 },
  tell: goneBackText,
  run: async (context: RunFilesContext, input) => {
    const forced = { operation: 'run.restore', input: { ...input, force: true } }
    return restoreThread(await filesOf(context, input.run, 'ended'), { to: input.checkpoint, force: input.force, forced })
  },
})

const runChanges = defineOperation({
  name: 'run.changes',
  summary: 'Show what the thread of a run changed in files: since it began, since a checkpoint or in one turn',
  by: ['person'],
  effect: 'read',
  command: 'runs changes <run>',
  input: z.strictObject({ run, since: checkpoint.optional(), turn: checkpoint.optional() }),
  output: FileDiffs,
  example: { run: 'run_01' },
  tell: changesText,
  run: async (context: RunFilesContext, input) => ({ files: await diffThread(await filesOf(context, input.run), input) }),
})

/** What can be done with the files that runs changed. */
export const runFileOperations = [runCheckpoints, undoRun, restoreRun, runChanges] as const

/** A chat goes back by its own operations, and a job or a board by its commits. */
async function filesOf(context: RunFilesContext, id: string, state?: 'ended'): Promise<UndoContext> {
  const { driver, checkpointsIn, now, dry = false } = context
  const { item } = await runs.get(driver, id)
  const { way, subject, status } = await listingOf(driver, item)
  if (way === 'chat')
    throw new Problem('bad_input', `${id} belongs to the chat ${subject}`, { next: [{ operation: 'chat.undo', input: { chat: subject } }] })
  if (way === 'job')
    throw new Problem('bad_input', `${id} belongs to the job ${subject}, which goes back by its commits`, {
      next: [{ operation: 'job.restep' }],
    })
  if (way === 'board') throw new Problem('bad_input', `${id} belongs to the task ${subject}, whose changes are commits of its own branch`)
  if (state === 'ended' && status === 'running') throw new Problem('busy', `the run ${id} is at work; stop it first`)
  const { workspace, thread_id } = item
  return { driver, checkpoints: await checkpointsIn(workspace), workspace, thread_id, now: now(), dry }
}
