import { asProblem } from '../../domain/problem.ts'
import type { Task } from '../../domain/task.ts'
import { boards, tasks } from '../../store/tables.ts'
import { mergeTask } from '../merge.ts'
import type { Station } from './station.ts'

/** Merges what is approved, in the name of whoever approved it; also when that reviewer is long gone. */
export interface Merger {
  mergeApproved(): Promise<void>
  stop(): Promise<void>
}

/** Merges go on side by side: one with a long test keeps nobody waiting. */
export function createMerger({ desk, say }: Pick<Station, 'desk' | 'say'>): Merger {
  const stopping = new AbortController()
  const merging = new Map<string, Promise<void>>()

  async function mergeApproved(): Promise<void> {
    const { driver, board_id } = desk
    if ((await boards.get(driver, board_id)).item.signal !== null) return
    const approved = await tasks.list(driver, { where: { board_id, status: 'APPROVED' }, order: ['priority', 'number'] })
    for (const { item } of approved) {
      if (merging.has(item.id) || stopping.signal.aborted) continue
      merging.set(
        item.id,
        mergeOne(item).finally(() => merging.delete(item.id)),
      )
    }
  }

  async function mergeOne({ id, approved_by }: Task): Promise<void> {
    try {
      await mergeTask(desk, { supervisor: approved_by ?? 'supervisor' }, id, stopping.signal)
    } catch (error) {
      const { code, message } = asProblem(error)
      // Another process has it, or had it a moment ago; what is still unmerged is looked at again.
      if (code !== 'busy' && code !== 'move_refused' && !stopping.signal.aborted) say(`${id} could not be merged: ${message}`)
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await Promise.all(merging.values())
  }

  return { mergeApproved, stop }
}
