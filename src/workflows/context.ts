import type { Driver } from '../store/driver.ts'
import type { CatalogueReader } from './files/catalogue.ts'
import type { PlayContext } from './play/context.ts'

/** What the operations on workflows work with. The store is opened by the first that needs it. */
export interface WorkflowContext {
  /** The folder whose own workflow files are read and written. */
  project: string
  catalogue: CatalogueReader
  /** The ids of the roles that hold in that folder; asked only when a step names one. */
  roles: () => Promise<readonly string[]>
  store: () => Promise<Driver>
  now: () => Date
}

/** The same where Troupe's own agent can carry out a workflow in the background. */
export interface WorkflowPlayContext extends WorkflowContext {
  plays: PlayContext
}
