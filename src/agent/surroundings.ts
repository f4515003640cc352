import { settingOf, type NetworkPolicy } from '../domain/network/policy.ts'
import type { GateContext } from '../tools/tool.ts'

/** So many hosts are named to a model; the rest it finds out by trying. */
const NAMED_HOSTS = 12

const systems: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS' }

/** What a model cannot know of where and when it works: the day, the system, and what its commands can reach. It is the same all day, so caches hold. */
export function surroundings(
  { permissions, sandbox, commands }: Pick<GateContext, 'permissions' | 'sandbox' | 'commands'>,
  now: Date,
): string {
  const day = `Today is ${now.toISOString().slice(0, 10)}.`
  if (!permissions.includes('execute_commands')) return day
  const system = `${systems[process.platform] ?? process.platform} (${process.arch})`
  const confined = sandbox.kind === 'none' ? 'without a sandbox' : 'in a sandbox'
  return `${day} Commands run on ${system} ${confined}, ${reachText(commands.network)}.`
}

function reachText(policy: NetworkPolicy): string {
  const setting = settingOf(policy)
  if (typeof setting === 'string') return `${setting === 'on' ? 'with' : 'without'} network access`
  if (setting.length === 0) return 'without network access unless the user allows a host'
  const named = setting.slice(0, NAMED_HOSTS).join(', ')
  return `with network access to ${named}${setting.length > NAMED_HOSTS ? ` and ${setting.length - NAMED_HOSTS} more` : ''} alone, by way of the proxy in the environment`
}
