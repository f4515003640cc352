import type * as z from 'zod'
import type { Permission } from '../domain/permission.ts'
import type { SandboxState } from '../sandbox/sandbox.ts'

/** What a tool may know while it runs. The gate has already decided that it may. */
export interface ToolContext {
  /** The workspace, absolute and resolved. */
  root: string
  role: string
  permissions: readonly Permission[]
  call_id: string
  thread_id: string
  run_id: string
  sandbox: SandboxState
  network: boolean
  /** Paths the user listed although they look like secrets. */
  allowedSecrets: readonly string[]
  signal: AbortSignal
  onOutput?: (chunk: string) => void
}

/** What a tool hands back: text for the model, details for screens, and whether the run ends with it. */
export interface ToolAnswer {
  output: string
  details?: Record<string, unknown>
  failed?: boolean
  ends?: 'completed' | 'waiting'
}

/** A tool: what it needs is part of what it is. */
export interface Tool<Input = unknown> {
  readonly name: string
  readonly description: string
  /** A tool that needs nothing is refused to everyone: it was not thought through. */
  readonly required_permissions: readonly Permission[]
  /** Derived: it needs nothing but reading. */
  readonly read_only: boolean
  /** When given, only these roles may call it, whatever their permissions. */
  readonly roles?: readonly string[]
  readonly input: z.ZodType<Input>
  /** Every path the call would touch, so that the gate can judge each before anything runs. */
  paths(input: Input): readonly string[]
  /** Asked of a person unless settings or the approved plan say otherwise. */
  readonly asks: boolean
  /** What the call would do, before it does it: the diff for the approval card, the hashes for recovery. Stored before `run`. */
  preview?(input: Input, context: ToolContext): Promise<Record<string, unknown>>
  /** After a crash between `preview` and the answer: the answer if it had happened, or what to do now. */
  recover?(input: Input, previewed: Record<string, unknown>, context: ToolContext): Promise<ToolAnswer | 'run_again' | 'interrupted'>
}
