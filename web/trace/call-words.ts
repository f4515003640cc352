import { callTarget } from '../../src/domain/call-target.ts'
import { counted } from '../../src/domain/text/format.ts'
import { isRecord } from '../../src/domain/text/unknown-value.ts'
import type { ToolCall, ToolResult } from './folded-calls.ts'

/** A call as a person reads it. */
export interface CallWords {
  /** What was done, or is being done. */
  verb: string
  /** To what. */
  target: string
  added: number | null
  removed: number | null
  /** What came of it, where a few words say it. */
  outcome: string
}

// Before it is over, after it went well, and where it failed or was denied: "Run", "Running", "Ran".
const verbs: Record<string, readonly [plain: string, going: string, done: string]> = {
  read_file: ['Read', 'Reading', 'Read'],
  list_directory: ['List', 'Listing', 'Listed'],
  find_files: ['Find files', 'Looking for files', 'Looked for files'],
  search_code: ['Search for', 'Searching for', 'Searched for'],
  create_file: ['Create', 'Creating', 'Created'],
  update_file: ['Edit', 'Editing', 'Edited'],
  delete_file: ['Delete', 'Deleting', 'Deleted'],
  execute_command: ['Run', 'Running', 'Ran'],
  command_output: ['Look at a command', 'Looking at a command', 'Looked at a command'],
  stop_command: ['Stop a command', 'Stopping a command', 'Stopped a command'],
  git_status: ['Check git status', 'Checking git status', 'Checked git status'],
  git_diff: ['Compare changes', 'Comparing changes', 'Compared changes'],
  git_log: ['Read the git log', 'Reading the git log', 'Read the git log'],
  git_blame: ['Look up authors of', 'Looking up authors of', 'Looked up authors of'],
  delegate: ['Delegate to', 'Delegating to', 'Delegated to'],
  exit: ['End the step', 'Ending the step', 'Ended the step'],
  finish_step: ['Finish the step', 'Finishing the step', 'Finished the step'],
}

/** "Edited src/api/lists.ts +1 −2", in place of a tool's name and its arguments. */
export function callWords(call: ToolCall | null, result: ToolResult | null): CallWords {
  const tool = call?.tool ?? result?.tool ?? 'a tool'
  const input = call?.input
  const [plain, going, done] = verbs[tool] ?? [named(tool), named(tool), named(tool)]
  const verb = result === null || result.outcome === 'running' ? going : result.outcome === 'ok' || ran(result) ? done : plain
  const { added, removed } = changedLines(result, tool, input)
  return { verb, target: targetOf(tool, input, result), added, removed, outcome: result === null ? '' : outcomeOf(tool, result) }
}

/** A command that failed did run. */
function ran({ tool, outcome, details }: ToolResult): boolean {
  return tool === 'execute_command' && outcome === 'error' && typeof details.exit_code === 'number'
}

function named(tool: string): string {
  const words = tool.replaceAll(/[_.]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function targetOf(tool: string, input: unknown, result: ToolResult | null): string {
  if (tool === 'list_directory') return callTarget(input) || 'the workspace'
  const action = tool === 'exit' && isRecord(input) && typeof input.action === 'string' ? input.action : ''
  const task = isRecord(input) && typeof input.task === 'string' && tool !== 'delegate' ? input.task : ''
  const path = typeof result?.details.path === 'string' ? result.details.path : ''
  return action || callTarget(input) || task || path
}

/** The change a call made or, while it waits, is about to make. */
export function diffOf(details: Record<string, unknown> | undefined): string | null {
  const previewed = details?.previewed
  const diff = details?.diff ?? (isRecord(previewed) ? previewed.diff : null)
  return typeof diff === 'string' && diff !== '' ? diff : null
}

function changedLines(result: ToolResult | null, tool: string, input: unknown): { added: number | null; removed: number | null } {
  const diff = diffOf(result?.details)
  if (diff !== null) {
    const lines = diff.split('\n')
    return {
      added: lines.filter((line) => line.startsWith('+') && !line.startsWith('+++')).length,
      removed: lines.filter((line) => line.startsWith('-') && !line.startsWith('---')).length,
    }
  }
  const content = tool === 'create_file' && isRecord(input) && result?.outcome === 'ok' ? input.content : null
  return { added: typeof content === 'string' ? content.split('\n').length : null, removed: null }
}

function outcomeOf(tool: string, { outcome, details }: ToolResult): string {
  const { exit_code, found, lines, entries } = details
  if (typeof exit_code === 'number' && exit_code !== 0) return `exit code ${exit_code}`
  if (outcome !== 'ok') return ''
  if (typeof found === 'number') return tool === 'search_code' ? counted(found, 'match', 'matches') : counted(found, 'file')
  if (tool === 'read_file' && typeof lines === 'number') return counted(lines, 'line')
  return typeof entries === 'number' ? counted(entries, 'entry', 'entries') : ''
}

/** Why a call was denied or failed: the sentence itself, not the code around it. */
export function whyNot(result: ToolResult): string {
  const error = result.details.error
  if (isRecord(error) && typeof error.message === 'string') return error.message
  return result.outcome === 'denied' ? result.output.replace(/^denied[^:]*: /, '') : ''
}
