import { lstatSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../domain/problem.ts'
import { scrubbedEnvironment } from '../process/environment.ts'
import { clearStale, leftoverOf, STALE_MS } from './leftover.ts'
import { knownGitPlace, plainGitFolders } from './place.ts'
import { isInside } from '../files/inside.ts'
import { readPlainText } from '../files/plain-text.ts'
import { findProgram, foldersBeyond, launcherEnvironment } from '../process/program.ts'
import { type ProcessOptions, runProcess } from '../process/run-process.ts'
import type { CommandResult } from '../sandbox.ts'
import { words } from '../process/word-list.ts'

export interface GitOptions extends Partial<Pick<ProcessOptions, 'stdin' | 'timeoutMs' | 'outputBytes' | 'signal'>> {
  /** Added to the environment: an identity for a commit, an index of one's own. */
  env?: Readonly<Record<string, string>>
}

/** Settings that win over a repository's own: nothing it says may start a program, ask a person or work behind our back. */
const settings: readonly (readonly [string, string])[] = Object.entries({
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.pager': 'cat',
  'core.quotePath': 'false',
  'color.ui': 'false',
  'commit.gpgSign': 'false',
  'tag.gpgSign': 'false',
  'push.gpgSign': 'false',
  'log.showSignature': 'false', // would start the program that checks signatures
  'merge.verifySignatures': 'false', // likewise
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'protocol.ext.allow': 'never',
  'core.alternateRefsCommand': 'true', // the program: what it would list only saves a fetch some bytes
  'submodule.recurse': 'false',
  'diff.submodule': 'short', // anything longer starts git inside the submodule, under the submodule's settings
})

const environment = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'true',
  SSH_ASKPASS: 'true',
  GIT_SSH_COMMAND: 'ssh -o BatchMode=yes',
  GIT_PROXY_COMMAND: '', // set, so that none the repository names is started
  GIT_EDITOR: 'true',
  GIT_SEQUENCE_EDITOR: 'true',
  GIT_PAGER: 'cat',
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C.UTF-8',
}

/** Commands that would run a program named in the configuration to show a difference or at the other end of a remote, or look into nested repositories. */
const quiet: Readonly<Record<string, readonly string[]>> = {
  diff: ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty'],
  'diff-tree': ['--no-ext-diff', '--no-textconv'],
  log: ['--no-ext-diff', '--no-textconv'],
  show: ['--no-ext-diff', '--no-textconv'],
  blame: ['--no-textconv'],
  status: ['--ignore-submodules=dirty'],
  'ls-remote': ['--upload-pack=git-upload-pack'],
  fetch: ['--upload-pack=git-upload-pack'],
  push: ['--receive-pack=git-receive-pack'],
}

/**
 * Commands that neither read nor write the files of a checkout, nor merge them, nor write an index, which compares files that have
 * just changed; all others may start a filter or a merge program.
 */
const aloof = new Set(words`
  branch cat-file check-ref-format commit-tree config diff-tree for-each-ref init log ls-files ls-tree merge-base rev-list rev-parse show
  symbolic-ref update-ref
`)

/** Commands that are about another repository. All others would only go there to fetch what a partial clone lacks. */
const remote = new Set(['clone', 'fetch', 'ls-remote', 'pull', 'push'])

const LOOK_AGAIN_MS = 100

/** Runs git on our own behalf in a folder. The answer carries the exit code; only a git that is not there is a Problem. */
export async function git(root: string, args: readonly [string, ...string[]], options: GitOptions = {}): Promise<CommandResult> {
  const { env, ...rest } = options
  const command = await gitCommand(root, args, env)
  const until = Date.now() + STALE_MS * 2
  for (;;) {
    const result = await runProcess(command.argv, { timeoutMs: 120_000, ...rest, cwd: root, env: command.env })
    const inTheWay = result.exit_code === 0 ? null : leftoverOf(root, args, result.stderr)
    if (inTheWay === null || Date.now() > until || options.signal?.aborted === true) return result
    if (!(await clearStale(inTheWay))) await sleep(LOOK_AGAIN_MS)
  }
}

/** Git with everything that a repository could configure against us turned off, as it is started anywhere. */
export async function gitCommand(
  root: string,
  [verb, ...others]: readonly [string, ...string[]],
  added: Readonly<Record<string, string>> = {},
): Promise<{ argv: [string, ...string[]]; env: Record<string, string> }> {
  const { program, passedOn, path } = surroundings()
  const reach = remote.has(verb) ? keysOfSsh() : { GIT_ALLOW_PROTOCOL: 'none' }
  const env = { ...passedOn, ...environment, PATH: pathBeyond(root, path), ...reach, ...added }
  const overrides = aloof.has(verb) ? [] : await programsTurnedOff(program, root, env)
  return {
    argv: [program, verb, ...(quiet[verb] ?? []), ...others],
    env: { ...env, ...alwaysSet, ...configured([['safe.directory', root], ...overrides], settings.length) },
  }
}

/** What every git is started with, by the account and the path it was found out for: a board starts many. */
let known: { key: string; program: string; passedOn: Record<string, string>; path: string[] } | undefined

function surroundings() {
  const { PATH = '', HOME = '' } = process.env
  const here = process.cwd()
  const key = `${HOME}\n${PATH}\n${here}`
  if (known?.key === key) return known
  const path = foldersBeyond(PATH, knownGitPlace(here)?.top ?? null) // the project may be another than the one git is started in
  known = { key, program: findProgram('git') ?? 'git', passedOn: scrubbedEnvironment(), path }
  return known
}

/** Who reaches another repository by SSH may have its keys in an agent. Commands of a model never see it. */
function keysOfSsh(): Record<string, string> {
  const socket = process.env['SSH_AUTH_SOCK']
  return socket === undefined ? {} : { SSH_AUTH_SOCK: socket }
}

/**
 * Filters, merge programs and helpers for passwords that the repository itself names, each replaced by doing nothing or by
 * git's own merge. The user's own stay.
 */
async function programsTurnedOff(program: string, root: string, env: Readonly<Record<string, string>>): Promise<[string, string][]> {
  if (namesNoProgram(root)) return []
  const named = String.raw`^(filter\..*\.(clean|smudge|process)|merge\..*\.driver|credential\.(.*\.)?helper)$`
  const trusting = { ...env, ...configured([['safe.directory', root]]) }
  const { stdout, cut_bytes } = await runProcess([program, 'config', '-z', '--show-scope', '--get-regexp', named], {
    cwd: root,
    env: { ...trusting, LC_ALL: 'C' }, // else a name that is not UTF-8 would match nothing
  })
  if (cut_bytes > 0 || stdout.includes('\ufffd'))
    throw new Problem(
      'denied',
      `the git settings of ${root} name programs that cannot be turned off: too many, or not in UTF-8; remove them`,
    )
  const fields = stdout.split('\0')
  const found = fields.flatMap((scope, at): Named[] => {
    const [key = '', ...value] = at % 2 === 0 ? (fields[at + 1]?.split('\n') ?? []) : []
    return key === '' ? [] : [{ key, value: value.join('\n'), isOwn: ['local', 'worktree'].includes(scope) }]
  })
  return [...found.filter(({ isOwn }) => isOwn).flatMap(turnedOff), ...usersHelpers(found)]
}

/** A program that the configuration names; `isOwn` where it is the repository that does. */
interface Named {
  key: string
  value: string
  isOwn: boolean
}

function turnedOff({ key }: Named): [string, string][] {
  if (key.startsWith('credential.')) return [['credential.helper', '']] // empties the list
  if (key.startsWith('merge.')) return [[key, 'git merge-file --quiet %A %O %B']]
  return [
    [key, ''],
    [key.replace(/[^.]+$/, 'required'), 'false'],
  ]
}

/** Helpers make a list, so that one is only turned off by emptying it: the user's are put into it again. */
function usersHelpers(found: readonly Named[]): [string, string][] {
  const helpers = found.filter(({ key }) => key.startsWith('credential.'))
  return helpers.some(({ isOwn }) => isOwn) ? helpers.filter(({ isOwn }) => !isOwn).map(({ key, value }) => [key, value]) : []
}

/** Few repositories name any, or another file that could. Reading their two settings files shows it without starting a git to ask. */
function namesNoProgram(root: string): boolean {
  const folders = plainGitFolders(root)
  if (folders === null) return false
  const [own, worktrees] = [plainSettings(`${folders.commonDir}/config`), plainSettings(`${folders.gitDir}/config.worktree`)]
  return own !== null && worktrees !== null && own !== '' && !/\[\s*(?:filter|merge|credential|include)/i.test(own + worktrees)
}

/** More than anybody's settings. */
const SETTINGS_BYTES = 1_000_000

/** Null where git may read something else there than we do: through a link, or from a file too long for us. */
function plainSettings(file: string): string | null {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  if (stat === undefined) return ''
  return stat.isFile() && stat.size < SETTINGS_BYTES ? readPlainText(file) : null
}

/** Settings as git reads them from its environment. Not as `-c name=value`: a name that holds a = would be cut there. */
function configured(pairs: readonly (readonly [string, string])[], before = 0): Record<string, string> {
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(before + pairs.length) }
  pairs.forEach(([name, value], at) => {
    env[`GIT_CONFIG_KEY_${before + at}`] = name
    env[`GIT_CONFIG_VALUE_${before + at}`] = value
  })
  return env
}

const alwaysSet = configured(settings)

/** Where git finds programs: never in the workspace and not among a project's packages, where a command may have put its own `git`. */
function pathBeyond(root: string, path: readonly string[]): string {
  return [...new Set([...path.filter((entry) => !isInside(root, entry)), ...launcherEnvironment.PATH.split(':')])].join(':')
}
