import { askUserTool } from './ask-user.ts'
import { createFileTool } from './create-file.ts'
import { deleteFileTool } from './delete-file.ts'
import { executeCommandTool } from './execute-command.ts'
import { findFilesTool } from './find-files.ts'
import { gitBlameTool } from './git-blame.ts'
import { gitDiffTool } from './git-diff.ts'
import { gitLogTool } from './git-log.ts'
import { gitStatusTool } from './git-status.ts'
import { listDirectoryTool } from './list-directory.ts'
import { readFileTool } from './read-file.ts'
import { searchCodeTool } from './search-code.ts'
import { submitPlanTool } from './submit-plan.ts'
import type { Tool } from './tool.ts'
import { updateFileTool } from './update-file.ts'

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
  askUserTool,
  submitPlanTool,
]
