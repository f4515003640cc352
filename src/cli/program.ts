import { Command, CommanderError } from 'commander'
import { closest } from '../domain/text/closest.ts'
import { asProblem, Problem, problems, problemView } from '../domain/problem.ts'
import { endOpenWork } from '../sandbox/process/at-end.ts'
import { commands, examples } from './commands.ts'
import { withCommands } from './next-steps.ts'
import { paint, printJson, say } from './terminal.ts'

/** Parses the command line, runs the command, gives back the exit code. Only the module of the named command is loaded. */
export async function runCommandLine(args: readonly string[], version: string): Promise<number> {
  process.stdout.on('error', leaveWithReader)
  process.removeAllListeners('warning').on('warning', tellWarning)
  const words = withDefaults(helpAtEnd(args))
  const program = emptyProgram(version)
  for (const entry of commands) {
    const noun = program.command(entry.name).description(entry.summary)
    if (entry.name !== words[nounIn(words)]) continue
    // Imported by name: all of zod would bring along whatever else in the bundle uses all of zod, such as the MCP server.
    if (entry.lives !== true) (await import('./schemas-uncompiled.ts')).leaveSchemasUncompiled()
    ;(await entry.load()).define(noun)
    noun.addHelpText('after', `\nExamples:\n${examples[entry.name]?.map((line) => `  troupe ${line}`).join('\n')}`)
  }
  const failed = (error: unknown) => report(error, calledIn(program, args), words.includes('--json'))
  const leaveUndone = () => {
    process.exitCode = failed(new Problem('internal', 'the command ended early: nothing was left to wait for'))
  }
  process.once('beforeExit', leaveUndone) // Node itself would call this a good end
  try {
    refuseHelpOnNothing(program, words)
    await program.parseAsync(words, { from: 'user' })
    return Number(process.exitCode ?? 0) // a command that ends well may still end with a code of its own
  } catch (error) {
    return failed(error instanceof Problem ? await withCommands(error) : error)
  } finally {
    process.off('beforeExit', leaveUndone)
    await endOpenWork()
  }
}

/** Whoever reads our output may have seen enough, as `head` has, or have no room for it; that is no reason for a stack. */
function leaveWithReader(error: NodeJS.ErrnoException): void {
  process.exit(error.code === 'EPIPE' ? undefined : report(error, '', false))
}

const warnedByNode = process.listeners('warning')

/** A warning of ours in our words: Node's would name a process and one of its own options. */
function tellWarning(warning: Error): void {
  if (warning.name === 'Warning') return say(`troupe: ${warning.message}`)
  for (const tell of warnedByNode) tell(warning)
}

/** The whole tree with every module loaded: for completion. */
export async function wholeProgram(): Promise<Command> {
  const program = emptyProgram('')
  for (const { name, summary, load } of commands) (await load()).define(program.command(name).description(summary))
  return program
}

function emptyProgram(version: string): Command {
  return new Command('troupe')
    .description('Run AI coding agents in roles they cannot step out of')
    .version(version, '-V, --version', 'print the version')
    .option('--json', 'print the result as JSON')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
}

/** `troupe help board add` is `troupe board add --help`. */
function helpAtEnd(args: readonly string[]): readonly string[] {
  return args[0] === 'help' && args.length > 1 ? [...args.slice(1), '--help'] : args
}

/** `troupe` alone serves, and a noun alone means its usual verb. */
function withDefaults(args: readonly string[]): string[] {
  if (args.some((word) => ['-h', '--help', '-V', '--version'].includes(word))) return [...args]
  if (args.length === 0 || (args[0]?.startsWith('-') && args[0] !== '--' && nounIn(args) === -1)) return ['serve', ...args]
  const at = nounIn(args)
  const verb = commands.find(({ name }) => name === args[at])?.verb
  const named = args.slice(at + 1).some((word) => !word.startsWith('-'))
  return verb && !named ? [...args, verb] : [...args]
}

/** Where the noun stands: options that hold everywhere may come before it. */
function nounIn(words: readonly string[]): number {
  return words.findIndex((word) => commands.some(({ name }) => name === word))
}

/** The help of a command that is not there would be that of the one above it, as if nothing had been mistyped. */
function refuseHelpOnNothing(program: Command, words: readonly string[]): void {
  if (!words.some((word) => word === '-h' || word === '--help')) return
  let command = program
  for (const word of words.filter((each) => !each.startsWith('-'))) {
    const verbs = command.commands.map((verb) => verb.name())
    if (verbs.length === 0 || verbs.includes('talk')) return // what follows is no verb but what the command takes
    const named = command.commands.find((verb) => verb.name() === word)
    if (named === undefined && word !== 'help') {
      const near = closest(word, verbs)
      const hint = near === null ? '' : ` (Did you mean ${near}?)`
      throw new Problem('bad_input', `unknown command '${word}'${hint}; see ${commandPath(command)} --help`)
    }
    command = named ?? command
  }
}

/** One sentence on stderr; with --json also the problem on stdout. Asking for help is no problem. */
function report(error: unknown, called: string, json: boolean): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  const problem = error instanceof CommanderError ? misuse(error, called) : withWay(asProblem(error))
  if (json) printJson(problemView(problem))
  say(`${paint('red', 'troupe:', process.stderr)} ${problem.message}`)
  if (problem.code === 'internal' && process.env['TROUPE_DEBUG']) say(String(problem.stack))
  return problems[problem.code].exit
}

/** How people find the record they mean, by the collection it would be in. */
// oxfmt-ignore
const ways: ReadonlyMap<unknown, string> = new Map([
  ['jobs',           'troupe job list shows them all'],
  ['chats',          'troupe chat list shows them all'],
  ['boards',         'leave out --board to use this project’s'],
  ['runs',           'troupe runs shows them all'],
  ['workflow_runs',  'troupe workflow runs shows them all'],
  ['workflow_plays', 'troupe workflow runs shows them all'],
])

/** A problem as a person at a terminal reads it: an id that the store does not have comes with the way to those it has. */
function withWay(problem: Problem): Problem {
  const way = problem.code === 'not_found' ? ways.get(problem.details['collection']) : undefined
  if (way === undefined) return problem
  return new Problem('not_found', `${problem.message}; ${way}`, { details: problem.details, cause: problem })
}

function misuse(error: CommanderError, called: string): Problem {
  const said = error.message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ')
  const wrong = error.code === 'commander.help' ? 'Name a command' : said.replace(/\.$/, '')
  return new Problem('bad_input', `${wrong}; see ${called} --help`, { cause: error })
}

/** The command the words name, as far as they name one, such as `troupe board add`. */
function calledIn(program: Command, words: readonly string[]): string {
  let command = program
  for (const word of words) command = command.commands.find((sub) => sub.name() === word) ?? command
  return commandPath(command)
}

function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name()
}
