import { chmod, cp, mkdir, mkdtemp, readdir, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { demoSource } from '../../chat/demo.ts'
import { Problem } from '../../domain/problem.ts'
import { git } from '../../sandbox/git/git.ts'
import { shellWord } from '../../sandbox/process/shell-word.ts'
import { agentAuthor, commitAll } from '../../worktrees/commit.ts'
import { gitText } from '../../worktrees/repository.ts'
import { openParts, type OpenParts } from '../open/parts.ts'

/** The throw-away world of a demo: a project with its history, a home for Troupe, and nothing of the person's own. */
export interface DemoContext {
  folder: string
  project: string
  parts: OpenParts
  signal: AbortSignal
  /** The person of the play, in whose name plans are approved and work is committed. */
  person: string
  /** What git sees as changed; empty when nothing is. */
  changes: () => Promise<string>
  commit: (message: string) => Promise<void>
}

const LAUNCHER = join(import.meta.dirname, '../../../bin/troupe')
const person = 'you'

/** Where a demo is made: a temporary folder, or one that holds nothing yet. */
export async function emptyFolder(dir: string | undefined): Promise<string> {
  if (dir === undefined) return realpath(await mkdtemp(join(tmpdir(), 'troupe-demo-')))
  const folder = resolve(dir)
  await mkdir(folder, { recursive: true })
  if ((await readdir(folder)).length > 0) throw new Problem('bad_input', `${folder} is not empty; name a new or empty folder for the demo`)
  return realpath(folder)
}

/** Makes the world and moves this process into it: from here on settings, keys and records of the account are out of reach. Close its driver when you are done. */
export async function openWorld(folder: string, signal: AbortSignal): Promise<DemoContext> {
  const project = join(folder, 'project')
  await cp(demoSource, project, { recursive: true })
  await writeLauncher(folder, await settleIn(folder))
  await gitText(project, ['init', '--quiet', '--initial-branch=main'])
  await commitAll(project, 'A price parser with a bug', agentAuthor(person))
  return {
    folder,
    project,
    parts: await openParts(project),
    signal,
    person,
    changes: async () => (await git(project, ['status', '--porcelain'])).stdout.trim(),
    commit: async (message) => void (await commitAll(project, message, agentAuthor(person))),
  }
}

/** Our own places lie in the folder, models are rehearsed whatever keys are set, and scratch files go where the rest goes. */
async function settleIn(folder: string): Promise<Record<string, string>> {
  const env = {
    TROUPE_HOME: join(folder, 'home'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    XDG_DATA_HOME: join(folder, 'data'),
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CACHE_HOME: join(folder, 'cache'),
  }
  await mkdir(env.TROUPE_HOME, { recursive: true, mode: 0o700 })
  await writeFile(join(env.TROUPE_HOME, 'config.yaml'), 'model: rehearsal\n')
  for (const name of Object.keys(process.env)) if (name.startsWith('TROUPE_') || name.startsWith('LIZA_')) delete process.env[name]
  const scratch = join(folder, 'scratch')
  await mkdir(scratch)
  Object.assign(process.env, env, { TMPDIR: scratch })
  return env
}

/** A command of the demo's own, so that looking around needs no setting and touches nothing else. */
async function writeLauncher(folder: string, env: Record<string, string>): Promise<void> {
  const settings = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`)
  const lines = ['#!/bin/sh', `cd ${shellWord(join(folder, 'project'))} && exec env ${settings.join(' ')} ${shellWord(LAUNCHER)} "$@"`, '']
  const file = join(folder, 'troupe')
  await writeFile(file, lines.join('\n'))
  await chmod(file, 0o755)
}
