import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { agentAuthor, commitAll } from './commit.ts'
import { gitText, openRepository, type Repository } from './repository.ts'

/** A real repository with one commit on `main`, gone after the test. */
export async function makeTestRepository(t: TestContext, files: Record<string, string> = { 'a.txt': 'one\n' }): Promise<Repository> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'troupe-repo-')))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await gitText(folder, ['init', '--quiet', '--initial-branch=main'])
  await commitFiles(folder, files, 'Start')
  return openRepository(folder)
}

/** Writes files into a checkout and commits them. */
export async function commitFiles(path: string, files: Record<string, string>, message: string): Promise<string> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text)
  await commitAll(path, message, agentAuthor('coder-1'))
  return gitText(path, ['rev-parse', 'HEAD'])
}
