import { join } from 'node:path'
import type { Agent, Performer } from '../../src/agent/agent.ts'
import type { RunEvent } from '../../src/domain/event.ts'
import { DelegationLimits } from '../../src/roles/delegation.ts'
import { loadRoles } from '../../src/roles/load.ts'
import type { Driver } from '../../src/store/driver.ts'
import { allTools } from '../../src/tools/all.ts'

/** An agent as a program would put it together, with the built-in roles and every tool. */
export async function benchAgent(driver: Driver, performer: Performer, onEvent: (event: RunEvent) => void): Promise<Agent> {
  return {
    driver,
    roles: await loadRoles({ builtInDir: join(import.meta.dirname, '../../roles') }),
    tools: allTools,
    performerFor: async () => performer,
    delegation: DelegationLimits.parse({}),
    approvals: { tools: {}, never_ask: false },
    sandbox: { kind: 'bubblewrap' },
    network: false,
    allowedSecrets: [],
    now: () => new Date(),
    onEvent,
  }
}
