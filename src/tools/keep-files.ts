import { relative } from 'node:path'
import type { BegunCall } from '../checkpoints/workspace.ts'
import type { CallReach } from '../checkpoints/compare.ts'
import type { Unkept } from '../domain/checkpoint.ts'
import type { ToolCall } from '../domain/entry.ts'
import { mayDelete } from '../domain/command/deletes.ts'
import { changePermissions, missingPermissions } from '../domain/permission.ts'
import { decided, type Decision } from './authorize.ts'
import type { JudgedCall } from './judge.ts'
import type { CallResult, GateContext } from './tool.ts'

/** Keeps files before a call changes them, so that a person can take it back. */
export interface FileKeeper {
  begin(callId: string, reach: CallReach): Promise<BegunCall>
  /** Records what a call had changed whose process was killed. */
  settle(): Promise<void>
}

/** Keeps what a call could change; null where it changes nothing, or nobody keeps anything. */
export async function beginKeeping(context: GateContext, call: ToolCall, { tool, places }: JudgedCall): Promise<BegunCall | null> {
  const { keeper, root, permissions } = context
  if (keeper === undefined || tool.changes === null) return null
  // A command of a role that may not change everything works on a layer that is thrown away.
  if (tool.changes === 'workspace' && missingPermissions(permissions, changePermissions).length > 0) return null
  return keeper.begin(call.id, tool.changes === 'workspace' ? 'workspace' : [...places.values()].map((place) => relative(root, place)))
}

/** What a call could take away for good: what cannot be kept, and of what is left alone that which its words would delete. */
export function risksOf(begun: BegunCall | null, { tool, input }: JudgedCall): Unkept[] {
  if (begun === null) return []
  const line = tool.commandOf(input)
  return [...begun.risks, ...(line === null ? [] : begun.leftAlone.filter(({ path }) => mayDelete(line.command, path)))]
}

/** Leave that says nothing about what could be lost. */
const untold: readonly Decision['rule'][] = ['default', 'command_allowed']

/** What could be lost for good is asked about, unless the user has allowed the tool whatever it does. */
export function withRisks({ approvals }: GateContext, decision: Decision, risks: readonly Unkept[]): Decision {
  if (risks.length === 0 || decision.verdict !== 'allow' || !untold.includes(decision.rule)) return decision
  const message = `undo could not bring back ${listed(risks)}. Once you agree, commands of this chat are not asked about for this again`
  return decided(approvals.never_ask ? 'deny' : 'ask', approvals.never_ask ? 'nobody_to_ask' : 'asks_by_default', message)
}

/** The answer of a call, with what it took away that cannot be brought back. */
export function withLost(result: CallResult, lost: readonly Unkept[]): CallResult {
  if (lost.length === 0) return result
  return { ...result, output: `${result.output}\n${lostLine(lost)}`, details: { ...result.details, lost } }
}

/** What is told of what cannot be brought back; empty where everything can. */
export function lostLine(lost: readonly Unkept[]): string {
  return lost.length === 0 ? '' : `checkpoint: undo cannot bring back ${listed(lost)}`
}

const words: Record<Unkept['why'], string> = {
  too_large: 'too large',
  unreadable: 'cannot be read',
  special: 'a pipe, socket or device',
  no_room: 'no room for it',
  left_out: 'a large folder that can be made again',
  git: 'the history of the repository',
}

const NAMED = 5

function listed(unkept: readonly Unkept[]): string {
  const named = unkept.slice(0, NAMED).map(({ path, why }) => `${path} (${words[why]})`)
  const more = unkept.length - named.length
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
