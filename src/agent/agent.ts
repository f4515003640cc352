import type { RunEvent } from '../domain/event.ts'
import type { Plan } from '../domain/plan.ts'
import type { Role } from '../domain/role.ts'
import type { Run } from '../domain/run.ts'
import type { Provider } from '../providers/provider.ts'
import type { DelegationLimits } from '../roles/delegation.ts'
import type { Roles } from '../roles/roles.ts'
import type { SandboxState } from '../sandbox/sandbox.ts'
import type { Driver } from '../store/driver.ts'
import type { ApprovalSettings } from '../tools/approvals.ts'
import type { Tool } from '../tools/tool.ts'

/** What a process lends to the runs it plays. What belongs to one run (role, model, workspace, limits) stands in its record. */
export interface Agent {
  driver: Driver
  roles: Roles
  tools: readonly Tool[]
  /** The model, or the outside agent, that plays a run. */
  performerFor: (run: Run) => Promise<Performer>
  /** The system prompt of a run: its role and the sections of its situation. */
  promptFor: (situation: Situation) => string
  delegation: DelegationLimits
  approvals: ApprovalSettings
  sandbox: SandboxState
  network: boolean
  allowedSecrets: readonly string[]
  now: () => Date
  onEvent: (event: RunEvent) => void
}

/** Who plays a run: a provider and the name it knows the model by. */
export interface Performer {
  provider: Provider
  model: string
  /** It changes the workspace by itself while it is asked, so that asking twice may do things twice. */
  acts?: boolean
}

/** What a system prompt is made from. The role comes from the store, so a model that claims another one is told again each turn. */
export interface Situation {
  role: Role
  run: Run
  plan: Plan | null
  tools: readonly Tool[]
}
