import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { anAccount, type Account, type Ended } from '../src/cli/test-account.ts'
import { beginRepository } from '../src/worktrees/test-repository.ts'

/** Runs a command of ours and tells how it ended. */
export type Command = (...args: string[]) => Promise<Ended>

/** An account with a repository of these files, and one long-lived process for all its commands. */
export async function openShell(t: TestContext, files: Record<string, string>): Promise<{ account: Account; troupe: Command }> {
  const account = await anAccount(t, { USER: 'ann' })
  await beginRepository(account.project, files)
  const shell = spawn(process.execPath, [join(import.meta.dirname, 'troupe-shell.ts')], {
    cwd: account.project,
    env: account.env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.after(async () => {
    shell.stdin.end()
    await once(shell, 'close')
  })
  const answers = createInterface(shell.stdout)[Symbol.asyncIterator]()
  const troupe: Command = async (...args) => {
    shell.stdin.write(`${JSON.stringify(args)}\n`)
    const { value } = (await answers.next()) as IteratorResult<string> // a line
    return JSON.parse(value) as Ended // its own words
  }
  return { account, troupe }
}
