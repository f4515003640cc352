import { join } from 'node:path'
import type { ToolCall, ToolCallContent, ToolCallLocation, ToolCallStatus, ToolKind } from '@agentclientprotocol/sdk'
import { parsePatch } from 'diff'
import { callTarget } from '../domain/call-target.ts'
import type { ToolOutcome } from '../domain/entry.ts'
import { isRecord } from '../domain/text/unknown-value.ts'

const OUTPUT_CHARS = 8_000

/** What an editor calls a tool, and which of its icons it shows. A tool that is not listed is shown by its own name. */
// oxfmt-ignore
const shownAs: Readonly<Record<string, { kind: ToolKind; words: string }>> = {
  read_file:       { kind: 'read',    words: 'Read' },
  read_skill:      { kind: 'read',    words: 'Read the skill' },
  git_log:         { kind: 'read',    words: 'Read the git log' },
  git_diff:        { kind: 'read',    words: 'Read the git diff' },
  git_status:      { kind: 'read',    words: 'Read the git status' },
  git_blame:       { kind: 'read',    words: 'Read who changed' },
  list_directory:  { kind: 'search',  words: 'List' },
  find_files:      { kind: 'search',  words: 'Find' },
  search_code:     { kind: 'search',  words: 'Search for' },
  create_file:     { kind: 'edit',    words: 'Create' },
  update_file:     { kind: 'edit',    words: 'Edit' },
  delete_file:     { kind: 'delete',  words: 'Delete' },
  execute_command: { kind: 'execute', words: 'Run' },
  command_output:  { kind: 'execute', words: 'Look at' },
  web_fetch:       { kind: 'fetch',   words: 'Fetch' },
  delegate:        { kind: 'other',   words: 'Start' },
}

/** A call as it begins. */
export function shownCall(id: string, tool: string, input: unknown, workspace: string): ToolCall {
  const known = shownAs[tool]
  return {
    toolCallId: id,
    title: `${known?.words ?? tool} ${callTarget(input)}`.trimEnd(),
    name: tool,
    kind: known?.kind ?? 'other',
    status: 'in_progress',
    locations: locationsOf(input, workspace),
    rawInput: input,
  }
}

function locationsOf(input: unknown, workspace: string): ToolCallLocation[] {
  if (!isRecord(input) || typeof input['path'] !== 'string') return []
  const line = input['start_line']
  return [{ path: join(workspace, input['path']), ...(typeof line === 'number' && { line }) }]
}

const statuses: Readonly<Record<ToolOutcome, ToolCallStatus>> = {
  running: 'in_progress',
  waiting: 'pending',
  ok: 'completed',
  error: 'failed',
  denied: 'failed',
  interrupted: 'failed',
}

/** How a call ended: the change it made as a diff, else what it answered. A denial's answer names the rule. */
export function endedCall(id: string, outcome: ToolOutcome, output: string, details: Record<string, unknown>, workspace: string) {
  const diffs = outcome === 'ok' ? diffsIn(details, workspace) : []
  return { toolCallId: id, status: statuses[outcome], content: diffs.length > 0 ? diffs : [textContent(lastOf(output))] }
}

/** What a change does, each place of it as the text before and after. */
export function diffsIn(details: Record<string, unknown>, workspace: string): ToolCallContent[] {
  const { path, diff } = details
  if (typeof path !== 'string' || typeof diff !== 'string') return []
  return hunksOf(diff).map(({ before, after }) => ({
    type: 'diff',
    path: join(workspace, path),
    oldText: before,
    newText: after,
  }))
}

/** A diff that was cut short, or that is only a sentence, cannot be taken apart. */
function hunksOf(diff: string): { before: string | null; after: string }[] {
  try {
    return parsePatch(diff).flatMap(({ oldFileName, hunks }) =>
      hunks.map(({ lines }) => ({
        before: oldFileName === '/dev/null' ? null : side(lines, '-'),
        after: side(lines, '+'),
      })),
    )
  } catch {
    return []
  }
}

function side(lines: readonly string[], mark: '-' | '+'): string {
  return lines
    .filter((line) => line.startsWith(' ') || line.startsWith(mark))
    .map((line) => `${line.slice(1)}\n`)
    .join('')
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } }
}

/** The end of a long output: what a person waits for comes last. */
export function lastOf(output: string): string {
  return output.length <= OUTPUT_CHARS ? output : `…${output.slice(-OUTPUT_CHARS)}`
}
