import { asProblem } from '../../../domain/problem.ts'
import type { TaskEntry, TaskReview } from '../../../domain/board/task.ts'
import { boards, tasks } from '../../../store/tables.ts'
import { mergeWork } from '../../task/merge.ts'
import type { TeamContext } from '../context.ts'

const AT_ONCE = 4

/**
 * Merges what is approved, in the name of whoever approved it; also when that reviewer is long gone.
 * With a test merges go on side by side, so that a long one keeps nobody waiting; without one they would only race for the branch.
 */
export function createMerger({ board, say }: Pick<TeamContext, 'board' | 'say'>) {
  const stopping = new AbortController()
  const merging = new Set<string>()
  const going = new Set<Promise<void>>() // longer than what it merges: a stop waits for its look for more, too
  const told = new Map<string, string>() // why a task could not be merged; it is tried again and again

  async function mergeApproved(): Promise<void> {
    const { driver, board_id } = board
    const { signal, config } = (await boards.get(driver, board_id)).item
    const most = config.integration_test === null ? 1 : AT_ONCE
    if (signal !== null || merging.size >= most || stopping.signal.aborted) return
    const approved = { where: { board_id, status: 'APPROVED' }, order: ['priority', 'number'] } as const
    for (const task of await tasks.items(driver, { ...approved, limit: most + merging.size })) {
      if (merging.has(task.id)) continue
      if (merging.size >= most || stopping.signal.aborted) return
      merging.add(task.id)
      const done = mergeAndGoOn(task).finally(() => going.delete(done))
      going.add(done)
    }
  }

  async function mergeAndGoOn(task: TaskEntry & TaskReview): Promise<void> {
    const merged = await mergeOne(task)
    merging.delete(task.id)
    if (merged) await mergeApproved().catch((error: unknown) => say(`no more could be merged for now: ${asProblem(error).message}`))
  }

  async function mergeOne({ id, approved_by }: TaskEntry & TaskReview): Promise<boolean> {
    try {
      await mergeWork(board, { supervisor: approved_by ?? 'supervisor' }, id, stopping.signal)
      return true
    } catch (error) {
      const { code, message } = asProblem(error)
      // Another process has it, or had it a moment ago; what is still unmerged is looked at again.
      if (code === 'busy' || code === 'move_refused' || stopping.signal.aborted || told.get(id) === message) return false
      told.set(id, message)
      say(`${id} could not be merged: ${message}`)
      return false
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await Promise.all(going)
  }

  return { mergeApproved, stop }
}
