import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'
import type { Environment } from '../../config/places.ts'
import type { AgentConfig } from '../../config/schema.ts'
import { isInside } from '../../sandbox/files/inside.ts'
import { knownGitPlace } from '../../sandbox/git/place.ts'
import { findInstalled } from '../../sandbox/process/program.ts'
import { bad, good, warn, type DoctorCheck, type MachineCheck } from '../doctor/check.ts'
import { presetOf } from './presets.ts'

/** The program of an agent, or null where there is none outside the project: in it anybody may have put one of that name. */
export function findAgent(command: string, env: Environment, cwd: string): string | null {
  const project = knownGitPlace(cwd)?.top ?? cwd
  const found = isAbsolute(command) ? command : command.includes('/') ? null : findInstalled(command, env['PATH'] ?? '', project)
  if (found === null || !isProgram(found)) return null
  return project !== '/' && isInside(realpathSync(project), realpathSync(found)) ? null : found
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** What can be said of an agent without starting it. */
export function lookAtAgent(name: string, agent: AgentConfig, env: Environment, cwd: string): DoctorCheck[] {
  return [
    { what: 'program', ...program(name, agent, findAgent(agent.command, env, cwd)) },
    { what: 'folders', ...folders(name, agent) },
    { what: 'variables', ...variables(agent, env) },
  ]
}

function program(name: string, { command }: AgentConfig, found: string | null): MachineCheck {
  return found === null ? bad(notFound(command), installFix(name)) : good(found)
}

export function notFound(command: string): string {
  return `there is no program ${command} on your PATH outside this project`
}

export function installFix(name: string): string {
  const install = presetOf(name)?.install ?? 'install it'
  return `${install}; or name its program with an absolute path`
}

function folders(name: string, { command, mounts }: AgentConfig): MachineCheck {
  const gone = mounts.filter((path) => !isThere(path))
  if (gone.length > 0)
    return bad(`not there: ${gone.join(', ')}`, `start ${command} once by itself, or take them out of agents.${name}.mounts`)
  return good(mounts.join(', ') || 'none')
}

export function isThere(path: string): boolean {
  return existsSync(path.replace(/^~(?=\/)/, homedir()))
}

/** A variable that is not set is no fault of one that has a login of its own. */
function variables({ env: named, mounts }: AgentConfig, env: Environment): MachineCheck {
  const missing = named.filter((variable) => !variable.includes('=') && !env[variable])
  const names = missing.join(', ')
  if (missing.length === 0) return good(named.map((variable) => variable.replace(/=.*/s, '')).join(', ') || 'none')
  if (mounts.length > 0) return good(`not set: ${names}; it needs a login of its own`)
  return warn(`not set: ${names}`, missing.map((variable) => `export ${variable}=…`).join('; '))
}

/** All of it in one line, for the doctor. */
export function agentInOneLine(name: string, agent: AgentConfig, env: Environment, cwd: string): MachineCheck {
  const findings = lookAtAgent(name, agent, env, cwd)
  const { what: _, ...first } = findings.find(({ state }) => state === 'bad') ??
    findings.find(({ state }) => state === 'warn') ?? {
      what: 'program',
      ...good(`${agent.protocol}, ${findAgent(agent.command, env, cwd)}`),
    }
  return first.state === 'bad' ? { ...first, state: 'warn' } : first // Troupe works without it
}
