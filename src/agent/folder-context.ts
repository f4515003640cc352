import type { Limits } from '../domain/run.ts'
import type { RoleFolders } from '../roles/load.ts'
import type { AgentContext } from './agent.ts'

/** What holds in a folder: the roles and settings of the user, and what the project there says of its own. */
export interface FolderContext {
  agent: AgentContext
  /** The model a run gets: the one that was chosen, else the role's, else the configured one. */
  modelFor: (agentRole: string, chosen: string | null) => string
  /** Refuses a model that nobody could ask. */
  needModel: (model: string) => Promise<void>
  /** How far a run may go here, unless it is told otherwise. */
  limits: Limits
  /** Where its roles are read from. */
  roleFolders: RoleFolders
}

/** What holds in the folder a process was started in, and in every other: a project is held to its own word wherever Troupe was started. */
export interface ProcessContext extends FolderContext {
  at: (folder: string) => Promise<FolderContext>
}

/** The same stage, with what holds in a folder. */
export async function contextIn<Stage extends ProcessContext>(stage: Stage, folder: string): Promise<Stage> {
  return { ...stage, ...(await stage.at(folder)) }
}
