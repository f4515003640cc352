import { boardNeeds } from '../../board/task/needs.ts'
import { chatNeeds } from '../../chat/needs.ts'
import { jobNeeds } from '../../jobs/needs.ts'
import { workflowNeeds } from '../../workflows/play/needs.ts'
import type { Need } from '../../domain/need.ts'
import type { overviewContract } from '../contract/overview.ts'
import type { Handlers } from '../dispatch.ts'

export const overviewHandlers: Handlers<keyof typeof overviewContract> = {
  status: async (_input, { version, model, context, driver, workspace }) => ({
    version,
    model,
    rehearsal: model === 'rehearsal',
    sandbox: context.agent.sandbox.kind,
    store: driver.kind,
    workspace,
  }),

  listNeeds: async (_input, { driver }) => {
    const needs = await Promise.all([chatNeeds, workflowNeeds, jobNeeds, boardNeeds].map((needsIn) => needsIn(driver)))
    return { needs: needs.flat().toSorted(gravestFirst) }
  },
}

const gravity = { critical: 0, major: 1, minor: 2 } as const satisfies Record<Need['severity'], number>

function gravestFirst(a: Need, b: Need): number {
  return gravity[a.severity] - gravity[b.severity] || b.at.localeCompare(a.at)
}
