import type { Command } from 'commander'
import { boardOperations, projectOperations } from '../../board/operations.ts'
import { addCommands, type CommandArea } from '../operation-commands.ts'
import { boardExtras, goalExtras, projectExtras } from './extras.ts'
import { resolve } from 'node:path'
import type { BoardContext, ProjectContext } from '../../board/context.ts'
import { openProject } from '../../board/find.ts'
import { agentId, roleOfAgent, TeamRole } from '../../domain/board/agent.ts'
import type { Operation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { existingFolder } from '../../sandbox/files/existing-folder.ts'
import { dryRun } from '../../store/dry-run.ts'
import { withStore } from '../open/store.ts'
import { agentNamed, inRepository, onBoard, personDeciding, personHere, type BoardOptions } from './context.ts'

/** `troupe board …`: plan, work, review, merge and look after a board by hand. */
export function define(board: Command): void {
  addCommands(board, projectOperations, projectArea, projectExtras)
  addCommands(board, boardOperations, boardArea, { ...boardExtras, ...goalExtras })
}

/** The board of a repository, used by the person at the terminal or by the agent of `--as`. */
const boardArea: CommandArea<BoardContext> = {
  addOptions(command, { effect, by }) {
    inRepository(command).option('--board <id>', 'another board than the one of this project')
    if (effect === 'read' || isForPeople(by)) return
    const otherwise = by.includes('person') ? ', else you' : ''
    command.option('--as <agent>', `act as this agent, such as ${usualAgent(by)}; else TROUPE_AGENT_ID${otherwise}`)
  },
  async within(options, operation, work) {
    if (operation.effect !== 'read') refuseActor(operation.by, agentNamed(options))
    return onBoard(options, operation, work)
  },
  known: fieldsOfEnvironment,
}

/** The variable that the specification names for a spec file that need not exist. */
function fieldsOfEnvironment({ input }: Operation): Record<string, unknown> {
  const skips = 'skip_spec_file_check' in input.shape && process.env['SKIP_SPEC_FILE_CHECK'] === 'true'
  return skips ? { skip_spec_file_check: true } : {}
}

/** Refuses anyone who may not do something before it is registered as an agent. */
function refuseActor(by: Operation['by'], agent: string | null): void {
  if (agent === null) {
    if (by.includes('person')) return
    throw new Problem('bad_input', `this is done by an agent: say which with --as ${usualAgent(by)}, or set TROUPE_AGENT_ID`)
  }
  if (isForPeople(by)) personDeciding(agent)
  const role = roleOfAgent(agent)
  if (by.includes(role)) return
  throw new Problem('forbidden', `${agent} may not do this: it is a ${role}, and this is for ${by.join(', ')}`, { details: { by } })
}

function isForPeople(by: Operation['by']): boolean {
  return by.every((actor) => actor === 'person')
}

function usualAgent(by: Operation['by']): string {
  return agentId(TeamRole.options.find((role) => by.includes(role)) ?? 'coder', 1)
}

/** A folder that need not have a board, with the store it is configured to use. */
const projectArea: CommandArea<ProjectContext> = {
  addOptions: (command) => void inRepository(command),
  known: fieldsOfEnvironment,
  async within({ cwd, dryRun: dry }: BoardOptions, { effect, by }, work) {
    if (effect !== 'read') refuseActor(by, agentNamed({}))
    const folder = existingFolder(resolve(cwd ?? '.'))
    const top = await openProject(folder).catch(() => null) // a folder outside any repository has its own settings
    const lend = (context: Pick<ProjectContext, 'driver' | 'dry'>) => work({ ...context, folder, actor: { human: personHere() } })
    return withStore((driver) => (dry === true ? dryRun(driver, (tx) => lend({ driver: tx, dry })) : lend({ driver })), top?.root ?? folder)
  },
}
