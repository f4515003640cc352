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
  const wide = { words: upToVerb(words), more: true }
  const isHarmless = !isOpenEnded(wide.words) && means(wide, words)
  try {
    return patternText(readPattern(patternText(isHarmless ? wide : { words, more: false })))
  } catch {
    return null
  }
}

/** Whether each command of a line is meant by one of the patterns. A line that cannot be read with certainty is not. */
export function isMeant(line: string, inRoot: boolean, patterns: readonly CommandPattern[]): boolean {
  const commands = readCommands(line)
  if (commands === null) return false
  const stays = inRoot && !commands.some(([program]) => moving.has(program))
  return commands.every((words) => (stays || isSameAnywhere(words)) && patterns.some((pattern) => means(pattern, words)))
}

/** In another folder `npm test` runs another script and `rm -rf build` deletes another build; reading and git stay what they are. */
function isSameAnywhere([program]: CommandWords): boolean {
  return harmless.has(program) || program === 'git'
}

function means({ words, more }: CommandPattern, given: CommandWords): boolean {
  if (!words.every((word, at) => word === given[at])) return false
  return given.length === words.length || (more && mayFollow(words[0], given.slice(words.length)))
}

/** Options name other programs (`npm test --script-shell=./x`) or files to overwrite (`git diff --output=x`). Behind `--` they are a script's own. */
function mayFollow(program: string, words: readonly string[]): boolean {
  if (program === 'git') return !words.some((word) => word.startsWith('--ou'))
  if (!manyVerbs.has(program)) return true
  const end = program === 'go' ? -1 : words.indexOf('--')
  return !words.slice(0, end === -1 ? words.length : end).some((word) => word.startsWith('-'))
}

/** A program, with the verb it is told first, and the script that verb runs. */
function upToVerb([program, verb, script]: CommandWords): CommandWords {
  if (verb === undefined || harmless.has(program)) return [program]
  return running.has(verb) && script !== undefined ? [program, verb, script] : [program, verb]
}

/** Whether words that follow could make a program run anything else, or lose what nobody named. What is not known to be harmless could. */
function isOpenEnded([program, verb = '', script = '']: CommandWords): boolean {
  if (harmless.has(program)) return false
  if (program === 'git') return !gitHarmless.has(verb)
  if (running.has(verb)) return !(scripted.has(program) && /^[a-z]/i.test(script))
  return !(manyVerbs.has(program) && verbs.has(verb))
}

function setOf(words: string): ReadonlySet<string> {
  return new Set(words.split(' '))
}

/** Programs that read and print, or make what was not there, whatever words follow; none of them starts a program or overwrites a file. */
const harmless = setOf(
  'ls cat head tail wc grep egrep fgrep echo pwd basename dirname realpath stat du df cut tr nl cmp diff comm jq which uname whoami id md5sum sha1sum sha256sum true false seq mkdir touch',
)
const moving = setOf('cd pushd popd')

/** Programs whose first word says what they do, and the words that build or test what is there already. */
const manyVerbs = setOf('npm pnpm yarn cargo go')
const verbs = setOf('test check build lint fmt vet clippy doc')
/** Verbs that run the word after them, and the programs for which that word is a script of the project. */
const running = setOf('run run-script')
const scripted = setOf('npm pnpm yarn')

/** Of git, what neither runs a program its arguments name nor takes anything away, but for `--output`. */
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
