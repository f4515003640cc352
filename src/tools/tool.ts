import type * as z from 'zod'
import type { AttachmentKind, NewAttachment } from '../domain/attachment.ts'
import type { Bounds } from '../domain/bounds.ts'
import type { NetworkRule } from '../domain/network/policy.ts'
import type { ToolCall, ToolOutcome } from '../domain/entry.ts'
import type { Permission } from '../domain/permission.ts'
import type { Approval, QuestionContent } from '../domain/question.ts'
import type { ServerSession } from '../outside/session.ts'
import type { Instructions } from '../roles/instructions/instructions.ts'
import type { PreparedSandboxes } from '../sandbox/prepared/prepared.ts'
import type { CommandSettings, SandboxState } from '../sandbox/sandbox.ts'
import type { Decision } from './authorize.ts'
import type { BackgroundCommands } from './background/commands.ts'
import type { JudgeContext } from './judge.ts'
import type { FileKeeper } from './keep-files.ts'
import type { Denials } from './refusal.ts'

/** A tool: what it needs is part of what it is. What it does is known to the gate alone. */
export interface Tool<Input = unknown> {
  readonly name: string
  readonly description: string
  /** A tool that needs nothing is refused to everyone: it was not thought through. */
  readonly required_permissions: readonly Permission[]
  /** Derived: it needs nothing but reading. */
  readonly read_only: boolean
  /** When given, only these roles may call it, whatever their permissions. */
  readonly roles?: readonly string[]
  /** When given, only roles that only read may call it. */
  readonly mode?: 'plan'
  /** It reaches beyond this machine, so a role without network has none of it. */
  readonly network?: true
  readonly input: z.ZodType<Input>
  /** Every path the call would touch, so that the gate can judge each before anything runs. */
  paths(input: Input): readonly string[]
  /** `link`: a path that is a symbolic link means the link itself, not what it points to. */
  readonly links: 'follow' | 'link'
  /** Which files a call may change: those of its paths, any of the workspace, or none. */
  readonly changes: 'paths' | 'workspace' | null
  /** The command line a call would run, and whether it would in the workspace itself; null for other tools. */
  commandOf(input: Input): CommandLine | null
  /** Why a person is asked before a call, unless settings or the approved plan say otherwise; null where nobody is. */
  asks(input?: Input): string | null
}

/** A line for a shell. */
export interface CommandLine {
  command: string
  inRoot: boolean
}

/** What a tool's author writes; `defineTool` makes the tool of it and keeps the body. */
export type ToolDefinition<Input> = ToolBody<Input> &
  Omit<Tool<Input>, 'read_only' | Usual> &
  Partial<Pick<Tool<Input>, Exclude<Usual, 'asks'>>> & {
    /** `true`, or the reason: before every call. */
    asks?: boolean | string | ((input: Input) => string | null)
  }

/** What most tools need not say. */
type Usual = 'paths' | 'links' | 'changes' | 'commandOf' | 'asks'

/** What a tool does. Only the gate can start it. */
export interface ToolBody<Input> {
  /** What the call would do, before it does it: the diff for the approval card, the hashes for recovery. Stored before `run`. */
  preview?(input: Input, context: ToolContext): Promise<Previewed>
  run(input: Input, context: ToolContext, previewed: Previewed): Promise<ToolAnswer>
  /** After a crash between `preview` and the answer: the answer if it had happened, or what to do now. */
  recover?(input: Input, previewed: Previewed, context: ToolContext): Promise<ToolAnswer | 'run_again' | 'interrupted'>
}

/** What a preview found; it is stored, so it is plain JSON. */
export type Previewed = Record<string, unknown>

/** What people let commands reach beyond the settings. */
export interface NetworkLeave {
  /** Whether somebody is there to be asked. */
  asks: boolean
  /** The folder whose later runs an answer may hold for. */
  project: string
  /** Whom they let them reach now, and whom never. A leave for once is used up by this. */
  take(): Promise<{ allowed: readonly NetworkRule[]; never: readonly NetworkRule[] }>
}

/** What a run lends to each of its calls. */
export interface CallContext {
  /** The workspace, absolute and resolved. */
  root: string
  role: string
  role_name: string
  permissions: readonly Permission[]
  /** How far the permissions reach. */
  bounds: Bounds
  thread_id: string
  run_id: string
  sandbox: SandboxState
  /** Sandboxes built ahead of need for the commands of this run. */
  prepared?: PreparedSandboxes
  /** What commands may do by the settings, within the bounds of the role. */
  commands: CommandSettings
  networkLeave: NetworkLeave
  /** Values, such as our own keys, that no answer may carry to a model or into the store. */
  secrets?: readonly string[]
  signal: AbortSignal
  onOutput?: (chunk: string, callId: string) => void
  /** What holds for files a call touched and the model was not told yet. */
  nearby?: (places: Iterable<string>) => readonly Instructions[]
  /** Folders of skills, for commands to read. */
  skillFolders?: readonly string[]
  /** Commands that go on while the run does other things. */
  background?: BackgroundCommands
  /** The servers of tools that this run has started. */
  servers?: ServerSession
  /** What the model can be shown beside words. */
  takes?: readonly AttachmentKind[]
  /** Where files are kept before a call changes them. */
  keeper?: FileKeeper
}

/** What a tool may know while it runs. The gate has already decided that it may. */
export interface ToolContext extends CallContext {
  call_id: string
  /** Where a path of this call really is. Only paths the tool declared in `paths`, and the gate therefore checked, have a place. */
  place: (path: string) => string
}

/** What the gate needs of a run: who acts, what was settled, and the store's side of approvals. */
export interface GateContext extends CallContext, JudgeContext {
  /** The gate counts, the run owns it. */
  denials: Denials
  /** A person's answer to the question about this very call, if there is one. */
  findApproval(wanted: Approval): Promise<FoundApproval | null>
  /** Stores that a call which may change the world is about to start and, in the same transaction, uses up its approval. */
  recordStart(started: StartedCall): Promise<void>
}

export interface FoundApproval {
  approval: Approval
  granted: boolean
  /** What the person added to the answer. */
  text: string
}

/** A call that was started: enough to find out after a crash what became of it. */
export interface StartedCall {
  call: ToolCall
  previewed: Previewed
  approval: Approval | null
}

/** What a tool hands back: text for the model, details for screens, and whether the run ends with it. */
export interface ToolAnswer {
  output: string
  details?: Record<string, unknown>
  failed?: boolean
  /** Files that the model is shown below the text. */
  shows?: readonly NewAttachment[]
  ends?: 'completed' | 'waiting'
  /** Set where the call started something that goes on: what it changes is recorded when that has ended. */
  whenOver?: (finish: () => Promise<string>) => void
}

/** How a call ended, whoever ended it. */
export interface CallResult {
  outcome: Exclude<ToolOutcome, 'running'>
  output: string
  details: Record<string, unknown>
  decision: Decision
  /** The third denial of one call, or the tenth denial in a row: the model is not listening, so its turn is over. */
  ends_turn: boolean
  shows?: readonly NewAttachment[]
  ends?: 'completed' | 'waiting'
  /** Set when a person must agree first; `approval` goes into the question's record. */
  ask?: { content: QuestionContent; approval: Approval; previewed: Previewed; patterns: readonly string[] }
}
