import type { Argument, Command, Option } from 'commander'
import { commands } from '../../src/cli/commands.ts'
import { wholeProgram } from '../../src/cli/program.ts'
import { code, page, table } from './markdown.ts'

/** Every command, its arguments and its options. */
export async function cliPage(): Promise<string> {
  const program = await wholeProgram()
  const general = [
    '`troupe` alone is `troupe serve`. Every command takes `--json` (the result, or the problem, as JSON on stdout) and `-h, --help`;',
    'results go to stdout and everything else to stderr. [Exit codes](exit-codes.md).',
  ].join('\n')
  const list = table(
    ['Command', 'Does'],
    program.commands.map((noun) => [`[\`troupe ${noun.name()}\`](#troupe-${noun.name()})`, noun.description()]),
  )
  return page('Command line', 'the commands of `src/cli`', [general, list, ...program.commands.map((noun) => nounText(noun))])
}

function nounText(noun: Command): string {
  const usual = commands.find(({ name }) => name === noun.name())?.verb
  const note = usual === undefined ? '' : ` Alone it means \`troupe ${noun.name()} ${usual}\`.`
  const shared = sharedOptions(noun)
  return [
    `## troupe ${noun.name()}`,
    `${sentence(noun.description())}${note}`,
    ...rowsOf(noun, noun.options),
    ...(shared.size === 0 ? [] : ['Options that many of them take:', table(['', ''], [...shared.values()].map(optionRow))]),
    ...noun.commands.map((verb) => verbText(verb, shared)),
  ].join('\n\n')
}

/** What more than three verbs of a noun take with the same meaning is told once, before them. */
function sharedOptions(noun: Command): Map<string, Option> {
  const same = Map.groupBy(
    noun.commands.flatMap((verb) => verb.options),
    (option) => optionRow(option).join(),
  )
  return new Map([...same].flatMap(([row, [option, ...others]]) => (option && others.length > 2 ? [[row, option] as const] : [])))
}

function verbText(verb: Command, shared: Map<string, Option>): string {
  const isShared = (option: Option) => shared.has(optionRow(option).join())
  const also = verb.options.filter(isShared).map(({ long }) => code(long ?? ''))
  const note = also.length === 0 ? '' : ` Also takes ${also.join(', ')}.`
  const own = verb.options.filter((option) => !isShared(option))
  return [`### ${usageOf(verb)}`, `${sentence(verb.description())}${note}`, ...rowsOf(verb, own)].join('\n\n')
}

function rowsOf(command: Command, options: readonly Option[]): string[] {
  const rows = [...command.registeredArguments.flatMap(argumentRow), ...options.map(optionRow)]
  return rows.length === 0 ? [] : [table(['', ''], rows)]
}

function argumentRow(argument: Argument): string[][] {
  return argument.description === '' ? [] : [[code(argument.name()), argument.description]]
}

function optionRow(option: Option): string[] {
  const usual = typeof option.defaultValue === 'string' ? ` (${option.defaultValue})` : ''
  const must = option.mandatory ? ' **needed**' : ''
  return [code(option.flags), `${option.description}${usual}${must}`]
}

function usageOf(command: Command): string {
  const words = command.registeredArguments.map((argument) => {
    const name = argument.variadic ? `${argument.name()}…` : argument.name()
    return argument.required ? name.toUpperCase() : `[${name.toUpperCase()}]`
  })
  const noun = command.parent?.parent ? `${command.parent.name()} ` : ''
  return ['troupe', `${noun}${command.name()}`, ...words].join(' ')
}

function sentence(text: string): string {
  return text === '' ? '' : `${text[0]?.toUpperCase()}${text.slice(1)}.`
}
