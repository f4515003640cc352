import { wholeProgram } from '../../src/cli/program.ts'
import type { Account } from '../../src/cli/test-account.ts'
import { log } from '../../src/store/log.ts'
import { inStore } from '../../src/store/test-store.ts'
import type { Command } from '../open-shell.ts'
import { treeOf } from '../tree.ts'

/** One line of a story: a verb of `troupe board` or `troupe job` with its words, what it must end with and what it must say. */
export interface StoryLine {
  verb: string
  words: string[]
  /** Only looks: neither the store nor a file may change. */
  looks?: true
  /** Is first tried with --dry-run, which must change nothing. */
  dry?: true
  code?: number
  says: RegExp
}

/** What a person may get wrong, and the words that help; it ends with 42 unless said otherwise. */
export type Mistake = Pick<StoryLine, 'verb' | 'words' | 'code' | 'says'>

/** Every verb there is of a noun, or those that take an option. */
export async function verbsOf(noun: string, option?: string): Promise<Set<string>> {
  const found = (await wholeProgram()).commands.find((command) => command.name() === noun)?.commands ?? []
  return new Set(
    found.filter((verb) => option === undefined || verb.options.some(({ long }) => long === option)).map((verb) => verb.name()),
  )
}

/** What was not as a line of a story says. */
export async function faultsOf(noun: string, line: StoryLine, account: Account, troupe: Command): Promise<string[]> {
  const { verb, words, looks, dry, code = 0, says } = line
  const before = looks || dry ? await stateOf(account) : {}
  const rehearsed = dry ? await troupe(noun, verb, ...words, '--dry-run', '--json') : null
  const between = dry ? await stateOf(account) : before
  const ended = await troupe(noun, verb, ...words, '--json')
  const after = looks ? await stateOf(account) : before
  const told = `${noun} ${verb} ${words.join(' ')}`
  return [
    ...(rehearsed && (rehearsed.code !== 0 || !isJson(rehearsed.stdout)) ? [`${told} --dry-run: ${JSON.stringify(rehearsed)}`] : []),
    ...changesIn(before, between).map((change) => `${told} --dry-run changed ${change}`),
    ...(ended.code === code && isJson(ended.stdout) && says.test(ended.stdout) ? [] : [`${told}: ${JSON.stringify(ended)}`]),
    ...changesIn(before, after).map((change) => `${told} changed ${change}`),
  ]
}

/** Which mistakes were not refused by their exit code, one sentence that helps, and JSON. */
export async function unhelpfulIn(noun: string, mistakes: readonly Mistake[], troupe: Command): Promise<string[]> {
  const faults: string[] = []
  for (const { verb, words, says, code: wanted = 42 } of mistakes) {
    const { code, stdout, stderr } = await troupe(noun, verb, ...words, '--json')
    const told = `${noun} ${verb} ${words.join(' ')} ended with ${code}: ${stderr.trim()}`
    if (code !== wanted || !says.test(stderr) || stderr.trim().split('\n').length !== 1) faults.push(told)
    if (!isJson(stdout) || !/"error": \{\s+"code": "\w+"/.test(stdout)) faults.push(`${told}; on stdout: ${stdout}`)
  }
  return faults
}

/** Git refreshes an index when it looks, a merge that is only tried leaves objects that nothing names, and the store tells by its log. */
const NOT_COMPARED = /(^|\/)index$|\/\.git\/objects|^\.(local\/share\/troupe|cache)(\/|$)/

/** Everything a verb could change: the store, whose log grows with each write, the project, the folders of jobs, and files beside them. */
export async function stateOf({ home, store }: Account): Promise<Record<string, string>> {
  const seq = await inStore(store, (driver) => log.last(driver))
  const kept = Object.entries(await treeOf(home)).filter(([name]) => !NOT_COMPARED.test(name))
  return Object.fromEntries([['log', String(seq)], ...kept])
}

function changesIn(before: Record<string, string>, after: Record<string, string>): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => before[name] !== after[name])
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
