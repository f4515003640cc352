import type { Command } from 'commander'
import { loadConfig, type LoadedConfig } from '../../config/load.ts'
import type { Environment } from '../../config/places.ts'
import { asProblem } from '../../domain/problem.ts'
import { installLine } from '../../sandbox/process/install-line.ts'
import { good, runCheck, type DoctorCheck } from './check.ts'
import { lookAtFiles, lookAtKeys, lookAtModel, lookAtRoles, lookAtStore } from './account.ts'
import { lookAtGit, lookAtNode, lookAtPort, lookAtSandbox, lookAtSearch } from './machine.ts'
import { columns, paint, printResult } from '../terminal.ts'
import { wantsJson } from '../verb.ts'
import packageJson from '../../../package.json' with { type: 'json' }

const marks = { good: paint('green', '✔'), warn: paint('yellow', '!'), bad: paint('red', '✘') }

/** `troupe doctor` */
export function define(doctor: Command): void {
  doctor.action(async (_options: unknown, command: Command) => {
    const findings = await examine(process.env, process.cwd())
    const ok = findings.every(({ state }) => state !== 'bad')
    printResult(wantsJson(command), { ok, findings }, columns(findings.flatMap(lines)))
    process.exitCode = ok ? 0 : 1
  })
}

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
    const broken = runCheck('configuration', () => Promise.reject(loaded), 'fix that line, then: troupe config check')
    return Promise.all([...machine, broken])
  }
  return Promise.all([...machine, ...account(loaded, env, cwd)])
}

function account(loaded: LoadedConfig, env: Environment, cwd: string): Promise<DoctorCheck>[] {
  return [
    runCheck('configuration', async () => good(`home ${loaded.places.home}`), 'troupe config check'),
    runCheck('roles', () => lookAtRoles(loaded, cwd), 'fix that file, then: troupe roles check'),
    runCheck('store', () => lookAtStore(loaded), 'export TROUPE_STORE=… to another store'),
    runCheck('keys', () => lookAtKeys(loaded, env), 'troupe config show'),
    runCheck('model', () => lookAtModel(loaded, env), 'troupe config show'),
    runCheck('port', () => lookAtPort(loaded.config.port), 'export TROUPE_PORT=… to one that is free'),
    runCheck('files', () => lookAtFiles(loaded), 'export TROUPE_HOME=… to a folder of yours'),
  ]
}

function lines(finding: DoctorCheck): string[][] {
  const found_line = [`${marks[finding.state]} ${finding.what}`, finding.found]
  return finding.state === 'good' ? [found_line] : [found_line, ['', paint('dim', `→ ${finding.fix}`)]]
}
