import * as z from 'zod'
import { boardProjects, runningAgents } from '../board/agent/running.ts'
import { boardNeeds } from '../board/task/needs.ts'
import { chatNeeds } from '../chat/needs.ts'
import { chatProjects, runningChats } from '../chat/running.ts'
import { Need } from '../domain/need.ts'
import { defineOperation } from '../domain/operation.ts'
import { Running, UsedProject } from '../domain/overview/running.ts'
import { jobNeeds } from '../jobs/needs.ts'
import { jobProjects, runningJobs } from '../jobs/running.ts'
import type { SandboxState } from '../sandbox/sandbox.ts'
import type { Driver } from '../store/driver.ts'
import { workflowNeeds } from '../workflows/play/needs.ts'
import { runningWorkflows } from '../workflows/play/running.ts'

/** A process of Troupe and what it runs on. */
export interface SystemContext {
  version: string
  driver: Driver
  workspace: string
  /** The model of roles that name none. */
  model: string
  sandbox: SandboxState
}

const showStatus = defineOperation({
  name: 'system.status',
  summary: 'Show what Troupe runs on: version, model, sandbox, store and folder',
  by: ['person'],
  effect: 'read',
  command: 'status',
  input: z.strictObject({}),
  output: z.object({
    version: z.string(),
    model: z.string(),
    rehearsal: z.boolean(),
    sandbox: z.string(),
    store: z.enum(['sqlite', 'postgres']),
    workspace: z.string(),
  }),
  example: {},
  tell: ({ version, model, sandbox, store, workspace }) =>
    `Troupe ${version} with ${model} in ${workspace}; sandbox ${sandbox}, store ${store}`,
  run: async ({ version, model, sandbox, driver, workspace }: SystemContext) => {
    return { version, model, rehearsal: model === 'rehearsal', sandbox: sandbox.kind, store: driver.kind, workspace }
  },
})

const listNeeds = defineOperation({
  name: 'system.list_needs',
  summary: 'List everything that needs a person, most urgent first',
  by: ['person'],
  effect: 'read',
  command: 'needs',
  input: z.strictObject({}),
  output: z.object({ needs: z.array(Need) }),
  example: {},
  tell: ({ needs }) =>
    needs.length === 0
      ? 'Nothing waits for you'
      : needs.map(({ severity, title, detail }) => [severity, title, detail].join(': ')).join('\n'),
  run: async ({ driver }: SystemContext) => ({ needs: await allNeeds(driver) }),
})

/** Everything that waits for a person, the gravest first. */
export async function allNeeds(driver: Driver): Promise<Need[]> {
  const needs = await Promise.all([chatNeeds, workflowNeeds, jobNeeds, boardNeeds].map((needsIn) => needsIn(driver)))
  return needs.flat().toSorted(gravestFirst)
}

const listRunning = defineOperation({
  name: 'system.list_running',
  summary: 'List every agent that works now, in chats, boards, jobs and workflows',
  by: ['person'],
  effect: 'read',
  command: 'running',
  input: z.strictObject({}),
  output: z.object({ running: z.array(Running) }),
  example: {},
  tell: ({ running }) =>
    running.length === 0 ? 'No agent works now' : running.map(({ way, agent, title }) => `${way}: ${agent}: ${title}`).join('\n'),
  run: async ({ driver }: SystemContext) => {
    const ways = [runningChats, runningAgents, runningJobs, runningWorkflows]
    const running = await Promise.all(ways.map((runningIn) => runningIn(driver)))
    return { running: running.flat().toSorted((a, b) => a.since.localeCompare(b.since)) }
  },
})

const listProjects = defineOperation({
  name: 'system.list_projects',
  summary: 'List the folders that were worked in, most recent first',
  by: ['person'],
  effect: 'read',
  command: 'projects',
  input: z.strictObject({}),
  output: z.object({ projects: z.array(UsedProject) }),
  example: {},
  tell: ({ projects }) => projects.map(({ workspace }) => workspace).join('\n') || 'No project yet',
  run: async ({ driver }: SystemContext) => {
    const used = await Promise.all([chatProjects, boardProjects, jobProjects].map((projectsIn) => projectsIn(driver)))
    const newest = used.flat().toSorted((a, b) => b.used_at.localeCompare(a.used_at))
    return { projects: newest.filter(({ workspace }, at) => newest.findIndex((one) => one.workspace === workspace) === at) }
  },
})

/** What concerns the whole of Troupe. */
export const systemOperations = [showStatus, listNeeds, listRunning, listProjects] as const

const gravity = { critical: 0, major: 1, minor: 2 } as const satisfies Record<Need['severity'], number>

function gravestFirst(a: Need, b: Need): number {
  return gravity[a.severity] - gravity[b.severity] || b.at.localeCompare(a.at)
}
