import { Option, type Command } from 'commander'
import type * as z from 'zod'
import { fieldKind, valueFromText, type FieldKind } from '../domain/text/field-kind.ts'
import { doorsOf, perform, type Operation } from '../domain/operation.ts'
import { Problem, type Notice } from '../domain/problem.ts'
import { issueMessage, type SchemaIssue } from '../domain/text/schema-error.ts'
import { readDocument } from './read-document.ts'
import { awaited } from './spinner.ts'
import { print, printExactly, printJson, say, typed } from './terminal.ts'

/** Where the operations of a noun are done: the options that name it, and how it is opened and closed around some work, or tried. */
export interface CommandArea<Context extends object> {
  addOptions(command: Command, operation: Operation): void
  within<Result>(options: CommandOptions, operation: Operation, work: (context: Context) => Promise<Result>): Promise<Result>
  /** Fields that are known without being typed, such as the job of TROUPE_JOB_ID; what is typed goes first. */
  known?(operation: Operation): Record<string, unknown>
}

/** What the terminal adds to an operation: more for people than its one sentence, such as a table, and options that only the terminal has. */
export interface CommandExtra<Output> {
  options?: readonly (readonly [flags: string, description: string])[]
  /** Fields that are given by those options, such as the text of a file that one of them names. What is typed goes first, and the schema judges all of it. */
  fields?(options: CommandOptions): Promise<Record<string, unknown>>
  /** What the terminal does with the result, whether it is shown as text or as JSON: it writes a file, sets the exit code, and gives what JSON shows. */
  finish?(output: Output, options: CommandOptions): unknown
  print?(output: Output, options: CommandOptions): string | Promise<string>
  /** What is printed must arrive byte by byte where it is piped on, such as a patch. */
  exact?: boolean
}

/** The extras of several operations, by name. */
export type CommandExtras<Operations extends readonly Operation<string, never>[]> = {
  [Name in Operations[number]['name']]?: CommandExtra<z.output<Extract<Operations[number], { name: Name }>['output']>>
}

/** Options every command takes, and those of its area. */
export interface CommandOptions {
  json?: boolean
  dryRun?: boolean
  [name: string]: unknown
}

/** Adds a command for each operation: its arguments and options are the fields of its input, its help is what the operation declares. */
export function addCommands<Context extends object, const Operations extends readonly Operation<string, Context>[]>(
  noun: Command,
  operations: Operations,
  area: CommandArea<Context>,
  extras: CommandExtras<Operations> = {},
): void {
  const extraOf: Readonly<Record<string, CommandExtra<never> | undefined>> = extras
  for (const operation of operations) if (doorsOf(operation).includes('cli')) addCommand(noun, operation, area, extraOf[operation.name])
}

function addCommand<Context extends object>(
  noun: Command,
  operation: Operation<string, Context>,
  area: CommandArea<Context>,
  extra: CommandExtra<never> = {},
): void {
  const [, ...words] = operation.command?.split(' ') ?? []
  const [verb = '', ...positions] = /^\w/.test(words[0] ?? '') ? words : ['', ...words]
  // What is done with the noun alone, as `troupe status`, is the noun itself.
  const command = verb === '' ? noun : noun.command(verb)
  for (const position of positions) command.argument(position)
  command.description(operation.summary)
  const positional = positions.map((word) => word.replaceAll(/[<>[\].]/g, ''))
  for (const [name, schema] of fieldsOf(operation))
    if (!positional.includes(name)) for (const option of optionsFor(name, schema, extra.fields === undefined)) command.addOption(option)
  area.addOptions(command, operation)
  for (const [flags, description] of extra.options ?? []) command.option(flags, description)
  if (doorsOf(operation).includes('dry_run')) command.option('--dry-run', 'say what would happen and change nothing')
  command.addHelpText('after', `\nExample:\n  troupe ${exampleLine(operation)}`).action(async (...given: unknown[]) => {
    const options = command.optsWithGlobals<CommandOptions>()
    const input = {
      ...area.known?.(operation),
      ...(await extra.fields?.(options)),
      ...(await inputFrom(operation, positional, given, options)),
    }
    const work = (context: Context) => perform(operation, context, input)
    const working = area.within(options, operation, work).catch(asTyped(operation))
    const output = (await awaited(operation.name.replace('.', ' ').replaceAll('_', ' '), working)) as never // the output of this very operation
    const finished = extra.finish === undefined ? output : await extra.finish(output, options)
    if (options.json === true) return printJson(finished)
    const text = extra.print === undefined ? operation.tell(output) : await extra.print(output, options)
    if (options.dryRun === true) say('A dry run: nothing was changed. Done in earnest, it would say:')
    if (extra.exact === true) printExactly(text)
    else print(text)
  })
}

/** What is played in the background elsewhere and in the foreground here, so that the terminal has a command of its own for it. */
const foreground: Readonly<Record<string, string>> = {
  'board.start_team': 'team --planner',
  'workflow.continue': 'workflow run --resume <run>',
}

/** Something to know, with the commands that help. */
export function suggested(operations: readonly Pick<Operation, 'name' | 'command'>[], { text, next = [] }: Notice): string {
  const commands = next.flatMap(({ operation, input = {} }) => {
    const command = foreground[operation] ?? operations.find(({ name }) => name === operation)?.command
    return command === undefined ? [] : [`troupe ${exampleLine({ command, example: input })}`]
  })
  return commands.length === 0 ? text : `${text.replace(/\.$/, '')}. Try: ${commands.join('; or: ')}`
}

/** `board unblock task-1 --answer "A page holds 50 users"`: the example of an operation as it is typed. What has to be given and is not stands as `<task>`. */
export function exampleLine({ command = '', example }: Pick<Operation, 'command' | 'example'>): string {
  const given = { ...example }
  const words = command.split(' ').flatMap((word) => {
    const name = word.replaceAll(/[<>[\].]/g, '')
    if (name === word) return [word]
    const value = given[name]
    delete given[name]
    if (value === undefined) return word.startsWith('<') ? [word] : []
    return wordsOf(name, value)
  })
  const options = Object.entries(given).flatMap(([name, value]) =>
    value === true ? [flagOf(name)] : [flagOf(name), ...wordsOf(name, value)],
  )
  return [...words, ...options].join(' ')
}

/** What has fields of its own is in a file. */
function wordsOf(name: string, value: unknown): string[] {
  const values = [value].flat()
  if (values.some((each) => typeof each === 'object' && each !== null)) return [`${name}.yaml`]
  return values.map((each) => typed(typeof each === 'string' ? each : JSON.stringify(each)))
}

function fieldsOf({ input }: Operation): [string, z.ZodType][] {
  return Object.entries(input.shape)
}

/** The options by which a field is given; it must be typed unless something else may give it too. A flag that can be left as it is can also be taken back. */
function optionsFor(name: string, schema: z.ZodType, mustBeTyped: boolean): Option[] {
  const { kind, choices, required, nullable, description }: FieldKind = fieldKind(schema)
  const value = { text: ' <text>', number: ' <number>', flag: '', list: ' <words...>', document: ' <json>' }[kind]
  const document = kind === 'document' ? ['JSON, a YAML or JSON file, or - for standard input'] : []
  const takes = [...choices, ...document, ...(nullable ? ['none'] : [])].join(', ')
  const option = new Option(flagOf(name) + value, [description, takes].filter(Boolean).join(': '))
  if (required && mustBeTyped) return [option.makeOptionMandatory()]
  const hasDefault = schema.safeParse(undefined).data !== undefined
  return kind === 'flag' && !hasDefault ? [option, new Option(`--no-${flagOf(name).slice(2)}`, `not: ${description}`)] : [option]
}

/** `done_when` → `--done-when`; a name of the workflow format or of MCP, such as `completedSteps`, likewise. What refers to something is typed by its name: `spec_ref` → `--spec`. */
function flagOf(name: string): string {
  return `--${name
    .replace(/_ref$/, '')
    .replaceAll('_', '-')
    .replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
}

/** What was typed, field by field. */
async function inputFrom(
  operation: Operation,
  positional: readonly string[],
  given: readonly unknown[],
  options: CommandOptions,
): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {}
  for (const [name, schema] of fieldsOf(operation)) {
    const at = positional.indexOf(name)
    const said =
      at === -1
        ? options[
            flagOf(name)
              .slice(2)
              .replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
          ]
        : given[at]
    if (said === undefined || (Array.isArray(said) && said.length === 0)) continue
    const kind = fieldKind(schema)
    const words = said as string | string[] | boolean // Commander gives words, lists of words and flags
    input[name] = kind.kind === 'document' ? await readDocument(String(words)) : valueFromText(kind, words)
  }
  return input
}

/** A refusal of a field, in the words of the command line: `--done-when is empty`. */
function asTyped(operation: Operation): (error: unknown) => never {
  return (error) => {
    const issues = error instanceof Problem && error.details['operation'] === operation.name ? error.details['issues'] : undefined
    if (!(error instanceof Problem) || !Array.isArray(issues)) throw error
    const said = (issues as SchemaIssue[]).map((issue) => `${optionNamed(operation, issue.path)} ${issueMessage(issue)}`.trim()) // made by `readInput`
    throw new Problem('bad_input', `${said.join('; ')}; for example: troupe ${exampleLine(operation)}`, {
      details: error.details,
      cause: error,
    })
  }
}

function optionNamed({ command = '' }: Operation, path: string): string {
  const [name = '', ...inner] = path.split('.')
  if (name === '') return ''
  const place = command.includes(`<${name}`) || command.includes(`[${name}`) ? `<${name}>` : flagOf(name)
  return inner.length === 0 ? place : `${place} (${inner.join('.')})`
}
