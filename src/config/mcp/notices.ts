import type { LoadedConfig } from '../load.ts'
import type { Environment } from '../places.ts'
import { outsideServers, projectServers } from '../wiring.ts'
import { shownText } from './view.ts'

/** The servers that somebody might expect and that are not used, each with the reason. */
export function serverNotices(loaded: LoadedConfig, env: Environment): string[] {
  const { servers, faults } = projectServers(loaded, env)
  const own = outsideServers(loaded, env)
  const untrusted = servers.filter(({ isTrusted }) => !isTrusted).map(({ name }) => name)
  const unseen = own.filter(({ settings, reviewed }) => settings.enabled && reviewed === null).map(({ name }) => name)
  const changed = own.filter(({ reviewed }) => (reviewed?.unreviewed.length ?? 0) > 0).map(({ name }) => name)
  return [
    ...faults.map(shownText),
    ...(untrusted.length > 0
      ? [`MCP servers of this project are not used, because you have not trusted them: ${untrusted.join(', ')}`]
      : []),
    ...(unseen.length > 0 ? [`MCP servers are not used before you have reviewed them: ${unseen.join(', ')}`] : []),
    ...(changed.length > 0 ? [`Tools of MCP servers have changed since you reviewed them: ${changed.join(', ')}`] : []),
  ]
}
