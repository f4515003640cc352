import { closest } from '../domain/text/closest.ts'
import { Problem } from '../domain/problem.ts'
import { askUserTool } from './ask-user.ts'
import { commandOutputTool } from './background/command-output.ts'
import { createFileTool } from './files/create.ts'
import { deleteFileTool } from './files/delete.ts'
import { executeCommandTool } from './execute-command.ts'
import { findFilesTool } from './files/find-files.ts'
import { gitBlameTool } from './git/blame.ts'
import { gitDiffTool } from './git/diff.ts'
import { gitLogTool } from './git/log.ts'
import { gitStatusTool } from './git/status.ts'
import { listDirectoryTool } from './files/list-directory.ts'
import { readFileTool } from './files/read.ts'
import { searchCodeTool } from './files/search-code.ts'
import { submitPlanTool } from './submit-plan.ts'
import type { Tool } from './tool.ts'
import { webFetchTool } from './web/web-fetch.ts'
import { updateFileTool } from './files/update.ts'

/** The built-in tools, reading first. */
export const allTools: readonly Tool[] = [
  readFileTool,
  listDirectoryTool,
  findFilesTool,
  searchCodeTool,
  gitLogTool,
  gitDiffTool,
  gitStatusTool,
  gitBlameTool,
  createFileTool,
  updateFileTool,
  deleteFileTool,
  executeCommandTool,
  commandOutputTool,
  webFetchTool,
  askUserTool,
  submitPlanTool,
]

/** Refuses a rule for a tool that is not there: a misspelt `deny` would hold for nothing, and nobody would notice. */
export function needTool(name: string, from: string): void {
  if (name.startsWith('mcp__')) return // its server may not have been reviewed yet
  const names = [...allTools.map((tool) => tool.name), 'delegate', 'read_skill']
  if (names.includes(name)) return
  const near = closest(name, names)
  throw new Problem(
    'bad_input',
    `${from}: there is no tool ${name}; ${near === null ? `the tools are ${names.join(', ')}` : `did you mean ${near}?`}`,
  )
}
