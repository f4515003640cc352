import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { shellWord } from '../sandbox/shell-word.ts'
import { launcher, type Account } from './test-account.ts'

/** Why a test that needs a terminal is left out, or false: `script` of util-linux gives a process one. */
export const noTerminal = existsSync('/usr/bin/script') ? false : 'there is no /usr/bin/script here'

/** All that a command of ours writes to a terminal, however it ends. */
export async function onTerminal({ project: cwd, env }: Account, args: readonly string[], more: object = {}): Promise<string> {
  const line = [launcher, ...args].map(shellWord).join(' ')
  const asked = promisify(execFile)('script', ['-qec', line, '/dev/null'], { cwd, env: { ...env, TERM: 'xterm', ...more } })
  const { stdout } = await asked.catch((ended: { stdout: string }) => ended)
  return stdout
}
