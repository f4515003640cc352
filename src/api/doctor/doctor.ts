import * as z from 'zod'
import { loadConfig, type LoadedConfig } from '../../config/load.ts'
import type { Environment } from '../../config/places.ts'
import type { SettingsContext } from '../../config/settings.ts'
import { defineOperation } from '../../domain/operation.ts'
import { asProblem } from '../../domain/problem.ts'
import { installLine } from '../../sandbox/process/install-line.ts'
import { agentInOneLine } from '../agents/look.ts'
import { lookAtFiles, lookAtKeys, lookAtModel, lookAtNotifications, lookAtRoles, lookAtStore } from './account.ts'
import { DoctorCheck, good, runCheck } from './check.ts'
import { lookAtGit, lookAtNode, lookAtPort, lookAtSandbox, lookAtSearch } from './machine.ts'
import packageJson from '../../../package.json' with { type: 'json' }

const checkSettings = [{ operation: 'settings.check' }]
const checkRoles = [{ operation: 'role.check' }]
const showSettings = [{ operation: 'settings.show' }]

/** Needs neither a store nor valid settings: it is asked when something is broken. */
export const examineMachine = defineOperation({
  name: 'system.doctor',
  summary: 'Check this machine and suggest fixes',
  by: ['person'],
  effect: 'read',
  command: 'doctor',
  input: z.strictObject({}),
  output: z.object({ ok: z.boolean(), findings: z.array(DoctorCheck) }),
  example: {},
  tell: ({ findings }) =>
    findings.map(({ what, state, found, fix }) => `${state} ${what}: ${found}${fix === undefined ? '' : `; ${fix}`}`).join('\n'),
  run: async ({ env, cwd }: SettingsContext) => {
    const findings = await examine(env, cwd)
    return { ok: findings.every(({ state }) => state !== 'bad'), findings }
  },
})

/** Looks at everything Troupe needs of a machine. Each look answers for itself, so that one failure hides no other. */
export async function examine(env: Environment, cwd: string, nodeVersion = process.version): Promise<DoctorCheck[]> {
  const loaded = await loadConfig({ env, cwd }).catch(asProblem)
  const machine = [
    runCheck('troupe', async () => good(packageJson.version), 'update Troupe: docs/how-to/install.md'),
    runCheck('node', () => lookAtNode(nodeVersion), 'install Node from https://nodejs.org'),
    runCheck('git', () => lookAtGit(env, cwd), installLine('git', env)),
    runCheck('sandbox', () => lookAtSandbox(), installLine('bubblewrap', env)),
    runCheck('search', lookAtSearch, 'install it again with its optional packages: npm ci --include=optional'),
  ]
  if (loaded instanceof Error) {
    const broken = runCheck('configuration', () => Promise.reject(loaded), { fix: 'fix that line', next: checkSettings })
    return Promise.all([...machine, broken])
  }
  return Promise.all([...machine, ...account(loaded, env, cwd)])
}

function account(loaded: LoadedConfig, env: Environment, cwd: string): Promise<DoctorCheck>[] {
  return [
    runCheck('configuration', async () => good(`home ${loaded.places.home}`), { fix: 'check the settings', next: checkSettings }),
    runCheck('roles', () => lookAtRoles(loaded, cwd), { fix: 'fix that file', next: checkRoles }),
    runCheck('store', () => lookAtStore(loaded), 'export TROUPE_STORE=… to another store'),
    runCheck('keys', () => lookAtKeys(loaded, env), { fix: 'look at the settings', next: showSettings }),
    runCheck('model', () => lookAtModel(loaded, env), { fix: 'look at the settings', next: showSettings }),
    ...(Object.keys(loaded.config.notifications).length === 0
      ? []
      : [runCheck('notifications', async () => lookAtNotifications(loaded, env), { fix: 'look at the settings', next: showSettings })]),
    runCheck('port', () => lookAtPort(loaded.config.port), 'export TROUPE_PORT=… to one that is free'),
    runCheck('files', () => lookAtFiles(loaded), 'export TROUPE_HOME=… to a folder you own'),
    ...Object.entries(loaded.config.agents).map(([name, agent]) =>
      runCheck(
        `agent ${name}`,
        async () => agentInOneLine(name, agent, env, cwd),
        `look at agents.${name} in ${loaded.places.user_config}`,
      ),
    ),
  ]
}
