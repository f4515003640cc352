import type { Playing } from '../../agent/run/background.ts'
import type { ProcessContext } from '../../agent/folder-context.ts'
import type { Permission } from '../../domain/permission.ts'
import type { Progress } from '../../domain/workflow/view.ts'

/** Where this process plays its workflows: what holds in their folders, and those that are on at this moment. */
export interface PlayContext extends ProcessContext {
  /** Hears how the steps go, in the words people may read. */
  onNews: (news: PlayNews) => void
  playing: Playing
}

/** What happened to a step. */
export type PlayNews = { run: string; title: string } & (
  | { type: 'begins'; progress: Progress | null; agent_role: string; capped: readonly Permission[] }
  | { type: 'refused'; issues: readonly string[] }
  | { type: 'waits'; question: string }
  | { type: 'done'; output: string }
)

export function openPlayContext(context: ProcessContext, onNews: PlayContext['onNews'] = () => undefined): PlayContext {
  return { ...context, onNews, playing: new Map() }
}
