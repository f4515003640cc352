import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Job } from '../../domain/job/job.ts'
import { Problem, systemCode } from '../../domain/problem.ts'
import { writeWhole } from '../../sandbox/files/write-whole.ts'
import { jobs } from '../../store/tables.ts'
import type { JobContext } from '../context.ts'

/** Where everything of a job lies. */
export function jobFilePlaces({ directory }: Pick<Job, 'directory'>) {
  return {
    manifest: join(directory, 'job_manifest.json'),
    prompt: join(directory, 'prompt.md'),
    attachments: join(directory, 'attachments'),
    workspace: join(directory, 'workspace'),
    history: join(directory, 'jobHistory.json'),
    outcome: join(directory, 'latest-outcome.json'),
  }
}

/** Makes the folders of a job, readable by their owner alone: prompts and answers are private. */
export async function makeFolders(job: Job): Promise<void> {
  await mkdir(jobFilePlaces(job).attachments, { recursive: true, mode: 0o700 })
}

/** The text of a file, or null where there is none. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * Writes the manifest from the record. The store is the truth: a manifest that somebody edited is put aside, so that
 * nothing of it is lost, and its owner is told where settings are changed.
 */
export async function writeManifest({ agent, dry }: Pick<JobContext, 'agent' | 'dry'>, { id }: Pick<Job, 'id'>): Promise<void> {
  if (dry === true) return
  const { driver, now } = agent
  const { item: job } = await jobs.get(driver, id) // of two writers the later one must not write what the earlier one read
  const { manifest } = jobFilePlaces(job)
  const was = textOf(manifest)
  if (was !== null && !isOurs(was)) {
    const aside = manifest.replace(/\.json$/, `.edited-${fileTime(now())}.json`)
    await rename(manifest, aside)
    driver.warn(
      new Problem('bad_input', `${manifest} was edited by hand; it is kept as ${aside}. Change the settings of the job itself instead`),
    )
  }
  await writeWhole(manifest, manifestText(job))
}

/** A moment as part of a file name. */
export function fileTime(now: Date): string {
  return now.toISOString().replaceAll(/[-:]|\.\d+/g, '')
}

function manifestText({ active, ...job }: Job): string {
  const shown = { ...job, active: active && { ...active, request: undefined } }
  return `${JSON.stringify({ ...shown, checksum: checksum(shown) }, null, 2)}\n`
}

function isOurs(text: string): boolean {
  try {
    const { checksum: stated, ...job } = JSON.parse(text) as Record<string, unknown> // anything else fails the comparison
    return stated === checksum(job)
  } catch {
    return false
  }
}

function checksum(job: object): string {
  return hash('sha256', JSON.stringify(job))
}
