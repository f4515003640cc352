import type { Hono } from 'hono'
import { boardOperations, projectOperations } from '../board/operations.ts'
import { teamOperations } from '../board/team/background.ts'
import { chatOperations } from '../chat/operations.ts'
import { jobOperations } from '../jobs/operations.ts'
import { workflowOperations, workflowPlayOperations } from '../workflows/operations.ts'
import { boardRoutes, projectRoutes, teamsArea } from './areas/board.ts'
import { runPlayOperations } from '../agent/resume-operation.ts'
import { commandOperations, type CommandsContext } from '../agent/allowed-commands.ts'
import { hostOperations } from '../agent/settled-hosts.ts'
import { quotaOperations, type QuotasContext } from '../agent/quota/operations.ts'
import { runFileOperations, type RunFilesContext } from '../agent/undo-run.ts'
import { runOperations } from '../agent/trace/run-operations.ts'
import type { RunsContext } from '../agent/runs.ts'
import { serverOperations } from '../config/mcp/operations.ts'
import type { ServersContext } from '../config/mcp/context.ts'
import { settingsOperations, type SettingsContext } from '../config/settings.ts'
import { roleOperations } from '../tools/operations.ts'
import { skillOperations, type SkillContext } from '../tools/skill-operations.ts'
import { outsideAgentOperations } from './agents/operations.ts'
import { examineMachine } from './doctor/doctor.ts'
import { addOperations, type HttpArea } from './operation-routes.ts'
import type { ServerContext } from './services.ts'
import { searchAll } from './search.ts'
import { systemOperations, type SystemContext } from './system.ts'
import type { ChatContext } from '../chat/context.ts'
import { dryRun } from '../store/dry-run.ts'
import type { JobPlays } from '../jobs/background.ts'
import { tryInJobs } from '../jobs/context.ts'
import type { CheckContext } from '../tools/role-check.ts'
import { contextIn } from '../agent/folder-context.ts'
import type { Driver } from '../store/driver.ts'
import type { WorkflowPlayContext } from '../workflows/context.ts'
import * as z from 'zod'

/** Answers the operations of every area. */
export function addAreas(app: Hono, server: ServerContext): void {
  addOperations(app, boardOperations, boardRoutes(server))
  addOperations(app, teamOperations, teamsArea(server))
  addOperations(app, projectOperations, projectRoutes(server))
  addOperations(app, [...workflowOperations, ...workflowPlayOperations], workflowRoutes(server))
  addOperations(app, chatOperations, chatRoutes(server))
  addOperations(app, jobOperations, jobRoutes(server))
  addOperations(app, roleOperations, roleArea(server))
  addOperations(app, skillOperations, skillArea(server))
  addOperations(app, runOperations, runArea(server))
  addOperations(app, runPlayOperations, { scope: {}, within: (_call, work) => work(server.context) })
  addOperations(app, [...settingsOperations, examineMachine], settingsArea(server))
  addOperations(app, [...serverOperations, ...outsideAgentOperations], serversArea(server))
  addOperations(app, runFileOperations, runFileArea(server))
  addOperations(app, [...commandOperations, ...hostOperations], commandArea(server))
  addOperations(app, quotaOperations, quotaArea(server))
  addOperations(app, [...systemOperations, searchAll], systemArea(server))
}

/** The chats of the store, used by the person who holds the token of the server; their turns are played in the background. */
function chatRoutes({ driver, context }: ServerContext): HttpArea<ChatContext> {
  return {
    scope: {},
    within: ({ dry }, work) =>
      dry ? dryRun(driver, (tx) => work({ ...context, agent: { ...context.agent, driver: tx }, dry: true })) : work(context),
  }
}

/** The jobs of the store, looked after by the person who holds the token of the server. */
function jobRoutes({ jobs }: ServerContext): HttpArea<JobPlays> {
  return {
    scope: {},
    within: ({ dry, signal }, work) => (dry ? tryInJobs({ ...jobs, signal }, work) : work({ ...jobs, signal })),
  }
}

/** The roles of a folder as its agents are held to them at this moment. */
function roleArea({ context, workspace }: ServerContext): HttpArea<CheckContext> {
  return {
    scope: FolderScope.shape,
    async within({ scope }, work) {
      const { workspace: root = workspace } = FolderScope.parse(scope)
      const { agent, roleFolders: folders } = await context.at(root)
      return work({ ...agent, root, folders })
    },
  }
}

/** The skills that agents find in a folder. */
function skillArea({ context, workspace }: ServerContext): HttpArea<SkillContext> {
  return {
    scope: FolderScope.shape,
    async within({ scope }, work) {
      const { workspace: root = workspace } = FolderScope.parse(scope)
      return work({ ...(await context.at(root)).agent, root })
    },
  }
}

/** Every run in the store of the server. */
function runArea({ driver }: ServerContext): HttpArea<RunsContext> {
  return { scope: {}, within: (_call, work) => work({ driver }) }
}

/** The files that runs of the store changed. */
function runFileArea({ driver, context }: ServerContext): HttpArea<RunFilesContext> {
  const files = { checkpointsIn: async (folder: string) => (await context.at(folder)).agent.checkpoints, now: context.agent.now }
  return {
    scope: {},
    within: ({ dry }, work) => (dry ? dryRun(driver, (tx) => work({ ...files, driver: tx, dry: true })) : work({ ...files, driver })),
  }
}

/** The commands and hosts that were allowed, and those of a folder. */
function commandArea({ driver, context, workspace }: ServerContext): HttpArea<CommandsContext> {
  return {
    scope: FolderScope.shape,
    within: ({ scope, dry }, work) => {
      const at = { root: FolderScope.parse(scope).workspace ?? workspace, now: context.agent.now }
      return dry ? dryRun(driver, (tx) => work({ ...at, driver: tx })) : work({ ...at, driver })
    },
  }
}

/** The limits that are reached, for everything in the store of the server. */
function quotaArea({ driver, context: { needModel } }: ServerContext): HttpArea<QuotasContext> {
  return {
    scope: {},
    within: ({ dry }, work) => (dry ? dryRun(driver, (tx) => work({ driver: tx, needModel })) : work({ driver, needModel })),
  }
}

/** The settings of the one who started the server, in a folder. */
function settingsArea({ workspace }: ServerContext): HttpArea<SettingsContext> {
  return {
    scope: FolderScope.shape,
    within: ({ scope }, work) => work({ env: process.env, cwd: FolderScope.parse(scope).workspace ?? workspace }),
  }
}

/** The MCP servers whose tools the agents of a folder use, and the outside agents. */
function serversArea({ workspace }: ServerContext): HttpArea<ServersContext> {
  return {
    scope: FolderScope.shape,
    within: ({ scope, dry, signal }, work) => work({ env: process.env, cwd: FolderScope.parse(scope).workspace ?? workspace, dry, signal }),
  }
}

/** The server itself. */
function systemArea(server: ServerContext): HttpArea<SystemContext> {
  return { scope: {}, within: (_call, work) => work({ ...server, sandbox: server.context.agent.sandbox }) }
}

/** The workflows of the folder that the server was started in. */
function workflowRoutes({ driver, workspace, catalogue, plays }: ServerContext): HttpArea<WorkflowPlayContext> {
  const roles = async () => (await contextIn(plays, workspace)).agent.roles.ids
  const contextOn = (store: Driver) => ({ project: workspace, catalogue, roles, store: async () => store, now: plays.agent.now, plays })
  return {
    scope: {},
    within: ({ dry }, work) => (dry ? dryRun(driver, (tx) => work(contextOn(tx))) : work(contextOn(driver))),
  }
}

/** What names a folder over HTTP. */
export const FolderScope = z.object({
  workspace: z.string().min(1).optional().describe('a folder; the one the server was started in when left out'),
})
