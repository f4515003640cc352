import { relative, resolve } from 'node:path'
import type { InteractionRequest } from '../../domain/job/history.ts'
import type { Job, JobActive } from '../../domain/job/job.ts'
import type { Run } from '../../domain/run.ts'
import type { Driver } from '../../store/driver.ts'
import { answersOf } from '../../agent/final-text.ts'
import { readFileTool } from '../../tools/files/read.ts'
import { runOf } from './exchange.ts'

/** More would crowd a history out of its file. */
export const FILES_AT_MOST = 1_000

/** The request as it is recorded: to the files the agent was given come those it read, each once. */
export async function requestWithReads(driver: Driver, job: Job, { request, run_id }: JobActive): Promise<InteractionRequest> {
  const run = await runOf(driver, run_id)
  const read = run === null ? [] : await filesReadBy(driver, run, job.workspace)
  return { ...request, files_context: [...new Set([...request.files_context, ...read])].slice(0, FILES_AT_MOST) }
}

/** Relative to the workspace, as `files_context` names them. */
async function filesReadBy(driver: Driver, run: Run, workspace: string): Promise<string[]> {
  const answers = await answersOf(driver, run, readFileTool.name)
  return answers.flatMap(({ details: { path } }) => (typeof path === 'string' ? [relative(workspace, resolve(workspace, path))] : []))
}
