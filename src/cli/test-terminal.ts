import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { shellWord } from '../sandbox/process/shell-word.ts'
import type { Cleanup } from '../sandbox/test-folder.ts'
import { until } from '../sandbox/test-until.ts'
import { launcher, type Account } from './test-account.ts'

/** Why a test that needs a terminal is left out, or false: `script` of util-linux gives a process one. */
export const noTerminal = existsSync('/usr/bin/script') ? false : 'there is no /usr/bin/script here'

/** All that a command of ours writes to a terminal, however it ends. */
export async function onTerminal(account: Account, args: readonly string[], more: object = {}, columns?: number): Promise<string> {
  const sized = columns === undefined ? '' : `stty cols ${columns}; `
  const { stdout } = await promisify(execFile)(...scripted(account, args, more, sized)).catch((ended: { stdout: string }) => ended)
  return stdout
}

/** A command of ours behind a terminal of its own, as a person has it: typed to, and looked at. */
export function inTerminal(t: Cleanup, account: Account, args: readonly string[], more: object = {}) {
  const child = spawn(...scripted(account, args, more))
  t.after(async () => void child.kill('SIGKILL'))
  let screen = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (screen += chunk))
  return {
    type: (keys: string) => child.stdin.write(keys),
    shows: (words: string, times = 1) => until(() => plain(screen).split(words).length > times),
    screen: () => plain(screen),
    ended: once(child, 'close').then(([code]) => code),
  }
}

function scripted({ project: cwd, env }: Account, args: readonly string[], more: object = {}, before = '') {
  const line = [launcher, ...args].map(shellWord).join(' ')
  return ['script', ['-qfec', before + line, '/dev/null'], { cwd, env: { ...env, TERM: 'xterm', ...more } }] as const
}

function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- what steers the terminal is not what a person reads
  return text.replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
}
