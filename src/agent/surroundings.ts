import type { GateContext } from '../tools/tool.ts'

const systems: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'macOS' }

/** What a model cannot know of where and when it works: the day, the system, and what its commands can reach. It is the same all day, so caches hold. */
export function surroundings({ permissions, sandbox, network }: GateContext, now: Date): string {
  const day = `Today is ${now.toISOString().slice(0, 10)}.`
  if (!permissions.includes('execute_commands')) return day
  const system = `${systems[process.platform] ?? process.platform} (${process.arch})`
  const confined = sandbox.kind === 'none' ? 'without a sandbox' : 'in a sandbox'
  return `${day} Commands run on ${system} ${confined}, ${network ? 'with' : 'without'} network access.`
}
