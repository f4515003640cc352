import { scrubbedEnvironment } from './environment.ts'
import { type ProcessOptions, runProcess } from './run-process.ts'
import type { CommandResult } from './sandbox.ts'

export interface GitOptions extends Partial<Pick<ProcessOptions, 'stdin' | 'timeoutMs' | 'outputBytes' | 'signal'>> {
  /** Added to the environment: an identity for a commit, an index of one's own. */
  env?: Readonly<Record<string, string>>
}

/** Settings that win over a repository's own: nothing it says may start a program, ask a person or work behind our back. */
const settings = Object.entries({
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.pager': 'cat',
  'core.quotePath': 'false',
  'color.ui': 'false',
  'commit.gpgSign': 'false',
  'tag.gpgSign': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'protocol.ext.allow': 'never',
  'submodule.recurse': 'false',
}).flatMap(([name, value]) => ['-c', `${name}=${value}`])

const environment = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'true',
  SSH_ASKPASS: 'true',
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_PAGER: 'cat',
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C.UTF-8',
}

/** Commands that would run a program named in the configuration to show a difference. */
const quiet: Readonly<Record<string, readonly string[]>> = {
  diff: ['--no-ext-diff', '--no-textconv'],
  log: ['--no-ext-diff', '--no-textconv'],
  show: ['--no-ext-diff', '--no-textconv'],
  blame: ['--no-textconv'],
}

/** Runs git on our own behalf in a folder. The answer carries the exit code; only a git that is not there is a Problem. */
export async function git(root: string, args: readonly [string, ...string[]], options: GitOptions = {}): Promise<CommandResult> {
  const { env, ...rest } = options
  const [verb, ...others] = args
  const argv = ['git', ...settings, '-c', `safe.directory=${root}`, verb, ...(quiet[verb] ?? []), ...others] as const
  return runProcess(argv, { timeoutMs: 120_000, ...rest, cwd: root, env: scrubbedEnvironment({ ...environment, ...env }) })
}
