import type { CheckpointSettings } from '../checkpoints/workspace.ts'
import type { RunEvent } from '../domain/event.ts'
import type { Run } from '../domain/run.ts'
import type { Provider } from '../providers/provider.ts'
import type { DelegationLimits } from '../roles/delegation.ts'
import type { PromptParts } from '../roles/prompt.ts'
import type { Roles } from '../roles/roles.ts'
import type { Driver } from '../store/driver.ts'
import type { ApprovalSettings } from '../tools/approvals.ts'
import type { CallContext, Tool } from '../tools/tool.ts'
import type { Playing } from './run/background.ts'

/** What a process lends to the runs it plays. What belongs to one run (role, model, workspace, limits) is in its record. */
export interface AgentContext extends Pick<CallContext, 'sandbox' | 'commands' | 'secrets'> {
  driver: Driver
  roles: Roles
  tools: readonly Tool[]
  /** The model, or the outside agent, that plays a run. */
  chosenModelFor: (run: Run, choice?: ModelChoice) => Promise<ChosenModel>
  /** Where files are kept before they change; not where every change is a commit already. */
  checkpoints?: CheckpointSettings | undefined
  /** What the user tells every agent; a project's own files are looked for where a run works. */
  userInstructions?: string
  userSkills?: readonly string[]
  /** What the situation adds to the prompt of the role. */
  sections?: PromptParts['sections']
  delegation: DelegationLimits
  approvals: ApprovalSettings
  /** A run that reached a limit waits for a person to raise it, instead of failing. */
  asksForMore?: boolean
  /** A person may say something to a run at work; it looks for that before each turn. */
  hearsUser?: boolean
  /** What is at work where this process plays runs for as long as it lives: background commands go on there while their run waits for a person. */
  lasting?: Playing
  now: () => Date
  onEvent: (event: RunEvent) => void
}

/** What may answer when the limit of the model of a run is reached. */
export interface ModelChoice {
  /** Only a model for a model, only an outside agent for one: what a run was given to work with fits no other. */
  sameKind?: boolean
  /** What a person settled about calls, for an outside agent that asks before it makes one. */
  approvals?: ApprovalSettings
}

/** Who plays a run: a provider and the name it knows the model by. */
export interface ChosenModel {
  provider: Provider
  model: string
  /** It changes the workspace by itself while it is asked, so that asking twice may do things twice. */
  acts?: boolean
}
