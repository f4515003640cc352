import type { Entry, ToolCall, ToolEntry } from '../../domain/entry.ts'
import { jsonObjectsIn } from '../../domain/text/json-in-text.ts'
import { PlanContent, type PlanStep } from '../../domain/plan.ts'
import type { ModelRequest } from '../provider.ts'

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
  /** The whole thread. */
  all: readonly Entry[]
  offers(tool: string): boolean
  /** What the role and the situation say. */
  system: string
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
    all: entries,
    offers: (name) => tools.some((tool) => tool.name === name),
    system,
    plan: planIn(system),
  }
}

/** What came back from a tool in this thread, in its order. */
export function resultsOf({ all }: Scene, tool: string): ToolEntry[] {
  return all.flatMap((entry) => (entry.from === 'tool' && entry.tool === tool ? [entry] : []))
}

/** Whether a tool was called since the wish. */
export function called({ since }: Scene, tool: string): boolean {
  return since.some((entry) => entry.from === 'tool' && entry.tool === tool)
}

/** The answer a person gave, from the answer of `ask_user` or from a note; null when nobody was asked yet. */
export function answerIn(entries: readonly Entry[]): string | null {
  for (const entry of entries) {
    if (entry.from === 'note' && entry.type === 'answer') return entry.text.toLowerCase()
    if (entry.from === 'tool' && entry.tool === 'ask_user' && entry.outcome === 'ok') return entry.output.toLowerCase()
  }
  return null
}

/** A step of a plan. */
export function step(step_number: number, action: string, reason: string, tools_needed: string[], estimated_time = '2 minutes'): PlanStep {
  return { step_number, action, reason, tools_needed, estimated_time }
}

/** The approved plan is in the system text word for word. */
function planIn(system: string): PlanContent | null {
  for (const { value } of jsonObjectsIn(system)) {
    const plan = PlanContent.safeParse(value)
    if (plan.success) return plan.data
  }
  return null
}
