import { join } from 'node:path'
import type { BoardConfig } from '../../domain/board/board.ts'
import { runCommand } from '../../sandbox/run-command.ts'
import { inThrowAway } from '../../worktrees/worktree.ts'
import type { BoardWorkspace } from '../desk.ts'
import { inOwnFolder } from '../worktree/own-files.ts'

/** Runs the configured command on a merge result nobody stands on yet; null when it passed or there is none. */
export async function testIntegration(
  { repository, sandbox, network, unsandboxed }: BoardWorkspace,
  { integration_test, integration_timeout }: BoardConfig,
  commit: string,
  signal?: AbortSignal,
): Promise<{ reason: string; output: string } | null> {
  if (integration_test === null) return null
  const parent = await inOwnFolder(repository.root, 'worktrees', async () => join(repository.root, '.troupe', 'worktrees')) // a link there is refused
  const test = (root: string) =>
    runCommand(
      {
        argv: ['sh', '-c', integration_test],
        root,
        access: 'change',
        network,
        unsandboxed,
        timeoutMs: integration_timeout * 1_000,
        ...(signal === undefined ? {} : { signal }),
      },
      sandbox,
    )
  // Inside the project, where what was installed for it is found.
  const result = await inThrowAway(repository, commit, test, parent)
  signal?.throwIfAborted()
  if (result.ended === 'exited' && result.exit_code === 0) return null
  const how = result.ended === 'exited' ? `exited with ${result.exit_code}` : `was ${result.ended.replace('_', ' ')}`
  return { reason: `the integration test ${how}`, output: `${result.stdout}\n${result.stderr}`.trim() }
}
