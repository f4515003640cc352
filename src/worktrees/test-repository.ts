import { rmSync } from 'node:fs'
import { cp, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { git } from '../sandbox/git/git.ts'
import { testFolder, type Cleanup } from '../sandbox/test-folder.ts'
import { writeFiles } from '../sandbox/test-workspace.ts'
import { agentAuthor, commitAll } from './commit.ts'
import { gitText, openRepository, type Repository } from './repository.ts'
import { createWorktree } from './worktree.ts'

/** One for each set of files that the tests of this process ask for: making a repository starts git eight times, copying one never. */
const patterns = new Map<string, Promise<string>>()

/** A real repository with one commit on `main`, gone after the test. */
export async function makeTestRepository(t: Cleanup, files: Record<string, string> = { 'a.txt': 'one\n' }): Promise<Repository> {
  const folder = await testFolder(t)
  const key = JSON.stringify(files)
  const pattern = patterns.get(key) ?? makePattern(files)
  patterns.set(key, pattern)
  await cp(await pattern, folder, { recursive: true })
  return openRepository(folder)
}

/** The same, and a worktree of it on the branch `task/1`. */
export async function makeTestWorktree(t: Cleanup, files?: Record<string, string>) {
  const repository = await makeTestRepository(t, files)
  return { repository, worktree: await createWorktree(repository, `${repository.root}/.git/wt`, 'task/1', 'main') }
}

/** Makes a repository of a folder, with one commit of these files on `main`. */
export async function beginRepository(folder: string, files: Record<string, string>): Promise<void> {
  await mkdir(folder, { recursive: true })
  await gitText(folder, ['init', '--quiet', '--initial-branch=main'])
  await commitFiles(folder, files, 'Start')
}

/** Writes files into a checkout and commits them. */
export async function commitFiles(path: string, files: Record<string, string>, message: string): Promise<string> {
  await writeFiles(path, files)
  await commitAll(path, message, agentAuthor('coder-1'))
  return gitText(path, ['rev-parse', 'HEAD'])
}

/** The text of a file as it was in a commit, or null when it was not there. */
export async function fileAt(root: string, commit: string, path: string): Promise<string | null> {
  const shown = await git(root, ['show', `${commit}:${path}`])
  return shown.exit_code === 0 ? shown.stdout : null
}

async function makePattern(files: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-repo-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await beginRepository(folder, files)
  return folder
}
