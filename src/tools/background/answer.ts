import { Problem } from '../../domain/problem.ts'
import { withoutTerminalCodes } from '../../domain/text/terminal-codes.ts'
import type { RefusedHost } from '../../network/session.ts'
import type { CommandResult } from '../../sandbox/sandbox.ts'
import { refusalLines } from '../network-reach.ts'
import type { ToolAnswer, ToolContext } from '../tool.ts'
import type { BackgroundCommand, BackgroundCommands } from './commands.ts'

/** The background commands of a run; where a call belongs to none, nothing would end them. */
export function backgroundOf({ background }: Pick<ToolContext, 'background'>): BackgroundCommands {
  if (background === undefined) throw new Problem('bad_input', 'a command can be kept in the background only by a run, which ends it')
  return background
}

/** What a background command printed since the last look, and how it is. One that ended is told once and then forgotten. */
export async function lookAnswer(context: ToolContext, name: string, command: BackgroundCommand): Promise<ToolAnswer> {
  const ended = command.ended()
  const after = ended === null ? '' : await command.over()
  const printed = withoutTerminalCodes(command.take(context.secrets ?? [])).trimEnd()
  const seconds = Math.round((performance.now() - command.startedAt) / 1_000)
  const how = ended === null ? `${name} is running in the background, for ${seconds} s` : `${name} ended: ${endText(ended)}`
  const details = { background: name, command: command.command, running: ended === null, ...endDetails(ended) }
  const output = [how, printed, ...refusalLines(refusedOf(ended)), after].filter((part) => part !== '').join('\n')
  if (ended !== null) backgroundOf(context).forget(name)
  return { output, details, failed: ended !== null && hasFailed(ended) }
}

/** How a command ended that did not end by itself. */
export const endings: Record<Exclude<CommandResult['ended'], 'exited'>, string> = {
  timed_out: 'stopped at its time limit',
  stopped: 'stopped',
  killed: 'killed',
  flooded: 'stopped because it printed too much',
}

function endText(ended: CommandResult | Problem): string {
  if (ended instanceof Problem) return ended.message
  return ended.ended === 'exited' ? `exit code ${ended.exit_code}` : endings[ended.ended]
}

function endDetails(ended: CommandResult | Problem | null): Record<string, unknown> {
  if (ended === null || ended instanceof Problem) return {}
  const { exit_code, ended: how, took_ms } = ended
  const refused = refusedOf(ended)
  return { exit_code, ended: how, took_ms: Math.round(took_ms), ...(refused.length > 0 && { refused }) }
}

function refusedOf(ended: CommandResult | Problem | null): readonly RefusedHost[] {
  return ended === null || ended instanceof Problem ? [] : (ended.refused ?? [])
}

function hasFailed(ended: CommandResult | Problem): boolean {
  return ended instanceof Problem || !(ended.ended === 'stopped' || (ended.ended === 'exited' && ended.exit_code === 0))
}
