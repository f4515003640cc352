import { readFile, rm, writeFile } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import type { BoardContext, BoardWorkspace, Identity } from '../../board/context.ts'
import { needBoard, openProject } from '../../board/find.ts'
import { heartbeat } from '../../board/agent/heartbeat.ts'
import { leaveBoard, leaveTeam, agentReady, registerAgent } from '../../board/agent/register.ts'
import { inOwnFolder } from '../../board/worktree/own-files.ts'
import { writeProjection } from '../../board/view/projection.ts'
import { givenId } from '../../board/team/identity.ts'
import type { LoadedConfig } from '../../config/load.ts'
import { commandSettings } from '../../config/wiring.ts'
import { agentFlow } from '../../domain/board/agent.ts'
import { boardKey } from '../../domain/board/board.ts'
import { isFinal } from '../../domain/flow.ts'
import type { Operation } from '../../domain/operation.ts'
import { asProblem, messageOf, Problem } from '../../domain/problem.ts'
import { detectSandbox } from '../../sandbox/detect.ts'
import type { Driver } from '../../store/driver.ts'
import { dryRun } from '../../store/dry-run.ts'
import { boardAgents, boards } from '../../store/tables.ts'
import type { Repository } from '../../worktrees/repository.ts'
import { withStore } from '../open/store.ts'
import { say } from '../terminal.ts'

/** Options of every verb of the board; a verb adds its own. */
export interface BoardOptions {
  cwd?: string
  board?: string
  as?: string
  dryRun?: boolean
  json?: boolean
}

/** Adds the option that says where a command is meant. */
export function inRepository(command: Command): Command {
  return command.option('--cwd <folder>', 'a folder of the repository; this one when left out')
}

/** Lends an operation the board that the options name, with who acts; tried only, or followed at once by the files in `.troupe`. */
export async function onBoard<Result>(
  options: BoardOptions,
  { name, effect }: Pick<Operation, 'name' | 'effect'>,
  work: (context: BoardContext) => Promise<Result>,
): Promise<Result> {
  const agent = effect === 'read' ? null : agentNamed(options)
  return inProject(options.cwd, async (driver, repository, { config, places }) => {
    const found = options.board === undefined ? await needBoard(driver, repository.root) : (await boards.get(driver, options.board)).item
    const opened: BoardWorkspace = {
      driver,
      board_id: found.id,
      repository,
      sandbox: await detectSandbox(places.sandbox_memory),
      commands: commandSettings({ config }),
    }
    const act = async (board: BoardWorkspace) =>
      work({ ...board, actor: agent === null ? { human: personHere() } : await identityOf(board, agent) })
    if (effect === 'read') return act(opened)
    if (agent !== null && name === leaveTeam.name) await needEntry(opened, agent)
    const tryOut = () => dryRun(driver, (tx) => act({ ...opened, driver: tx, dry: true }))
    if (options.dryRun === true) return tryOut()
    if (agent !== null && (await knownIdentity(opened, agent)) === null) await tryOut() // a refusal must not leave it registered
    const result = await act(opened)
    await writeProjection(opened).catch((error: unknown) => say(`could not write the copies in .troupe: ${asProblem(error).message}`))
    return result
  })
}

/** Lends some work the repository a folder is in and the store it is configured to use, which is closed afterwards. */
async function inProject<Result>(
  cwd: string | undefined,
  work: (driver: Driver, repository: Repository, loaded: LoadedConfig) => Promise<Result>,
  open: (folder: string) => Promise<Repository> = openProject,
): Promise<Result> {
  const repository = await open(resolve(cwd ?? '.'))
  return withStore((driver, loaded) => work(driver, repository, loaded), repository.root)
}

/** Whoever leaves must be there: to register it for that alone would help nobody. */
async function needEntry({ driver, board_id }: BoardWorkspace, agent: string): Promise<void> {
  const ids = (await boardAgents.items(driver, { where: { board_id } })).map(({ id }) => id)
  if (ids.includes(agent)) return
  throw new Problem('not_found', `${agent} is not on this board; ${ids.length === 0 ? 'nobody is' : `these are: ${ids.join(', ')}`}`)
}

/** The agent somebody acts as; null for the person at the terminal. */
export function agentNamed({ as }: BoardOptions): string | null {
  return as ?? givenId(process.env)
}

/** Whoever decides something about a whole board. A script that plays a coder has a command line too, and could approve its own plan. */
export function personDeciding(agent: string | null = givenId(process.env)): string {
  if (agent === null) return personHere()
  throw new Problem('forbidden', `only a person may do this, and ${agent} is an agent; a person types it without --as and TROUPE_AGENT_ID`)
}

/** The person at the terminal, by the name of their account. */
export function personHere(): string {
  return process.env['USER'] || nameOfAccount()
}

/** An account that the machine has no name for, as in a container that was started with any number, is called by its number. */
function nameOfAccount(): string {
  try {
    return userInfo().username
  } catch {
    return `uid-${process.getuid?.() ?? 'unknown'}`
  }
}

/** A person who plays an agent types one command after the other; the registration waits in a file between them. */
async function identityOf(board: BoardWorkspace, id: string): Promise<Identity> {
  const known = await knownIdentity(board, id)
  if (known !== null) {
    await heartbeat(board, known)
    return known
  }
  const identity = await registerAgent(board, { id, terminal: process.env['TTY'] ?? 'command line' })
  await agentReady(board, identity)
  if (board.dry !== true) await rememberOrLeave(board, identity, fileOf(board, id))
  return identity
}

/** The registration that an earlier command left, while it counts. One that handed over is through; typing its name again begins again. */
async function knownIdentity(board: BoardWorkspace, id: string): Promise<Identity | null> {
  const file = join(board.repository.root, '.troupe/agents', fileOf(board, id))
  const generation = process.env['TROUPE_AGENT_GENERATION'] ?? (await readFile(file, 'utf8').catch(() => null))
  const entry = await boardAgents.find(board.driver, boardKey({ board_id: board.board_id, id }))
  if (generation === null || entry?.item.generation !== generation || isFinal(agentFlow, entry.item.status)) return null
  return { agent: id, generation }
}

function fileOf({ board_id }: BoardWorkspace, id: string): string {
  return `${id}.${board_id}`
}

/** One that could not be remembered would keep its id to itself until its lease runs out. */
async function rememberOrLeave(board: BoardWorkspace, identity: Identity, name: string): Promise<void> {
  try {
    await inOwnFolder(board.repository.root, 'agents', async (at) => {
      await rm(at(name), { force: true }) // whatever is there, a link included
      await writeFile(at(name), identity.generation, { mode: 0o600, flag: 'wx' })
    })
  } catch (error) {
    await leaveBoard(board, identity, `its registration could not be kept: ${messageOf(error)}`)
    throw error
  }
}
