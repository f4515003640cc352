import type { SettingsContext } from '../../config/settings.ts'
import type { HttpArea } from '../operation-routes.ts'
import type { ServerContext } from '../services.ts'
import { FolderScope } from './folder-scope.ts'

/** The settings of whoever started the server, in a folder. */
export function settingsArea({ workspace }: ServerContext): HttpArea<SettingsContext> {
  return {
    scope: FolderScope.shape,
    within: ({ scope }, work) => work({ env: process.env, cwd: FolderScope.parse(scope).workspace ?? workspace }),
  }
}
