import { Problem } from '../problem.ts'
import { readCommands, type CommandWords } from './words.ts'

/** Commands that are meant: those with exactly these words or, with `more`, those that begin with them. */
export interface CommandPattern {
  words: CommandWords
  more: boolean
}

/** Reads `npm test` or `npm test *`; refuses what could not be judged, or would be leave for anything. */
export function readPattern(text: string): CommandPattern {
  const more = /\s\*$/.test(text)
  const commands = readCommands(more ? text.replace(/\s+\*$/, '') : text)
  const [words] = commands ?? []
  if (words === undefined || commands?.length !== 1)
    throw refusal(text, 'it has to be the words of one program, such as npm test, or npm test * for whatever follows them')
  if (words[0] === 'git' && !gitCommands.has(words[1] ?? ''))
    throw refusal(text, 'git has to be followed by one of its own commands; any other word may be an alias')
  if (more && isOpenEnded(words))
    throw refusal(text, `${words[0]} could run or delete anything with the words that follow; name all of them`)
  return { words, more }
}

/** `npm test *`: the way a pattern is typed and shown. */
export function patternText({ words, more }: CommandPattern): string {
  return [...words.map(quoted), ...(more ? ['*'] : [])].join(' ')
}

/** The pattern a person is offered for a command they were asked about: as wide as is still harmless. Null where there is none. */
export function patternFor(words: CommandWords): string | null {
  const text = patternText(isOpenEnded(upToVerb(words)) ? { words, more: false } : { words: upToVerb(words), more: true })
  try {
    return patternText(readPattern(text))
  } catch {
    return null
  }
}

/** Whether each command of a line is meant by one of the patterns. A line that cannot be read with certainty is not. */
export function isMeant(line: string, inRoot: boolean, patterns: readonly CommandPattern[]): boolean {
  const commands = readCommands(line)
  if (commands === null) return false
  const stays = inRoot && !commands.some(([program]) => moving.has(program))
  return commands.every((words) => (stays || !words[0].includes('/')) && patterns.some((pattern) => means(pattern, words)))
}

function means({ words, more }: CommandPattern, given: CommandWords): boolean {
  return (more ? given.length >= words.length : given.length === words.length) && words.every((word, at) => word === given[at])
}

/** A program, with the verb it is told first, and what that verb runs. */
function upToVerb(words: CommandWords): CommandWords {
  const [program, verb, ...rest] = words
  if (verb === undefined || !(program === 'git' || manyVerbs.has(program))) return [program]
  const [run, ...its] = rest
  return running.has(verb) && run !== undefined ? [program, verb, ...upToVerb([run, ...its])] : [program, verb]
}

/** Whether words that follow could make a program run anything else, or delete what nobody named. */
function isOpenEnded([program, verb, run, ...rest]: CommandWords): boolean {
  if (named(program, onlyWhole)) return true
  if (program === 'git') return !gitHarmless.has(verb ?? '')
  if (!manyVerbs.has(program)) return false
  if (verb === undefined || !/^[a-z]/.test(verb)) return true
  return running.has(verb) && (run === undefined || isOpenEnded([run, ...rest]))
}

/** `/usr/bin/python3.12` is `python`. */
function named(program: string, programs: ReadonlySet<string>): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1)
  return programs.has(name) || programs.has(name.replace(/[\d.]+$/, ''))
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

/** Shells and interpreters, programs that start programs, those that delete, and what changes the meaning of later words. */
const onlyWhole = setOf(
  [
    'sh bash dash ash zsh fish ksh csh tcsh busybox node nodejs deno bun tsx ts-node python pypy perl ruby php lua Rscript awk gawk mawk sed ed ex vi vim nvim emacs',
    'env sudo doas su xargs parallel nohup timeout nice ionice setsid stdbuf watch time ssh scp rsync find fd git-shell npx bunx pnpx uvx pipx tar zip docker podman kubectl script expect gdb strace ltrace unshare chroot flock entr ld.so',
    'rm rmdir unlink shred truncate dd mv cp install ln tee mkfs chmod chown',
    'eval exec command builtin source . alias unalias hash enable shopt set export declare typeset readonly local unset read mapfile readarray printf trap bind complete cd pushd popd umask ulimit kill killall pkill',
  ].join(' '),
)
const moving = setOf('cd pushd popd')

/** Programs whose first word says what they do. */
const manyVerbs = setOf(
  'npm pnpm yarn cargo go pip uv poetry pdm hatch make just task dotnet mvn gradle bundle rake composer mix terraform gh brew apt conda nx turbo',
)
/** Verbs that run what stands behind them. */
const running = setOf('exec x dlx run eval run-script')

/** Of git, what neither runs a program its arguments name nor takes anything away. */
const gitHarmless = setOf(
  'add blame cat-file commit describe diff log ls-files ls-tree merge-base rev-list rev-parse shortlog show show-ref status',
)
const gitCommands: ReadonlySet<string> = new Set([
  ...gitHarmless,
  ...'am apply archive bisect branch bundle checkout cherry-pick clean clone config fetch format-patch gc grep init merge mv notes pull push range-diff rebase reflog remote reset restore revert rm stash submodule switch tag worktree'.split(
    ' ',
  ),
])

function quoted(word: string): string {
  if (/^[\w.,:@%+=/-]+$/.test(word)) return word
  return word.includes("'") ? `"${word}"` : `'${word}'`
}

function refusal(text: string, why: string): Problem {
  return new Problem('bad_input', `${JSON.stringify(text)} cannot be allowed from now on: ${why}`, { details: { pattern: text } })
}
