import type { CheckContext } from '../../tools/role-check.ts'
import type { HttpArea } from '../operation-routes.ts'
import type { ServerContext } from '../services.ts'
import { FolderScope } from './folder-scope.ts'

/** The roles of a folder as its agents are held to them at this moment. */
export function roleArea({ context, workspace }: ServerContext): HttpArea<CheckContext> {
  return {
    scope: FolderScope.shape,
    async within({ scope }, work) {
      const { workspace: root = workspace } = FolderScope.parse(scope)
      const { agent, roleFolders: folders } = await context.at(root)
      return work({ ...agent, root, folders })
    },
  }
}
