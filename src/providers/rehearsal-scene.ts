import type { Entry, ToolCall } from '../domain/entry.ts'
import { jsonObjectsIn } from '../domain/json-in-text.ts'
import { PlanContent } from '../domain/plan.ts'
import type { ModelRequest } from './provider.ts'

/** What the rehearsal says at one turn. */
export interface Line {
  text: string
  calls?: readonly Omit<ToolCall, 'id'>[]
}

/** What the rehearsal knows of a thread: the last wish, the answers since, and the tools it may name. */
export interface Scene {
  wish: string
  /** Replies since the wish. */
  turn: number
  /** What came back since the wish. */
  since: readonly Entry[]
  offers(tool: string): boolean
  plan: PlanContent | null
}

/** The scene of a request. */
export function sceneOf({ entries, system, tools }: ModelRequest): Scene {
  const asked = entries.findLastIndex((entry) => entry.from === 'user')
  const wish = entries[asked]
  const since = entries.slice(asked + 1)
  return {
    wish: wish?.from === 'user' ? wish.text : '',
    turn: since.filter((entry) => entry.from === 'assistant').length,
    since,
    offers: (name) => tools.some((tool) => tool.name === name),
    plan: planIn(system),
  }
}

/** The approved plan stands in the system text word for word. */
function planIn(system: string): PlanContent | null {
  for (const { value } of jsonObjectsIn(system)) {
    const plan = PlanContent.safeParse(value)
    if (plan.success) return plan.data
  }
  return null
}
