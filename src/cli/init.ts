import { resolve, dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { ownFilesIgnored } from '../board/worktree/own-files.ts'
import { Config } from '../config/schema.ts'
import { counted } from '../domain/text/format.ts'
import { Problem } from '../domain/problem.ts'
import { hostedKinds } from '../providers/settings.ts'
import { survey, type InstructionsHere, type Survey } from './survey.ts'
import { columns, paint, printResult, shown } from './terminal.ts'
import { lstat, mkdir, writeFile } from 'node:fs/promises'
import * as z from 'zod'
import { mayProjectSet } from '../config/trust.ts'

/** What a person decides about a new project. */
interface Answers {
  /** For everyone who works here; null leaves it to each of them. */
  model: string | null
  import: boolean
  share: boolean
}

interface InitOptions extends Partial<Answers> {
  cwd?: string
  yes?: boolean
  dryRun?: boolean
  json?: boolean
}

/** `troupe init`: looks at a project and writes its settings file; what is there already stays as it is. */
export function define(init: Command): void {
  init
    .option('--cwd <folder>', 'the project; this folder when left out')
    .option('--model <name>', 'provider/model for everyone who works here')
    .option('--import', "import other tools' roles; they are read-only until you trust them")
    .option('--no-import', "do not import other tools' roles")
    .option('--share', 'commit settings and roles, ignore what Troupe generates')
    .option('--no-share', 'git ignores everything in .troupe')
    .option('--yes', 'ask nothing and use the defaults')
    .option('--dry-run', 'show what would be written and write nothing')
    .action(async (_options: unknown, command: Command) => initProject(command.optsWithGlobals<InitOptions>()))
}

async function initProject(options: InitOptions): Promise<void> {
  const found = await survey(resolve(options.cwd ?? '.'), process.env)
  const asks = options.yes !== true && options.json !== true && process.stdin.isTTY && process.stderr.isTTY
  const answers = checked(asks ? await askPerson(found, options) : usual(options))
  const written = await writeNew(found.folder, filesFor(found, answers), options.dryRun === true)
  const next = nextSteps(found, written, options.dryRun === true)
  const text = [...foundLines(found), '', ...writtenLines(written), '', ...next].join('\n')
  printResult(options.json, { found: withoutTexts(found), written, next }, text)
}

function usual({ model, import: take = true, share = true }: InitOptions): Answers {
  return { model: model ?? null, import: take, share }
}

/** Asks what was not said on the command line and matters here: at most three questions, each answered by Enter. */
async function askPerson({ git, roles, model }: Survey, given: Partial<Answers>): Promise<Answers> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const ask = async (question: string) => (await terminal.question(`${question} `).catch(unanswered)).trim()
  const yes = async (question: string) => !/^n/i.test(await ask(`${question} [Y/n]`))
  const ready = roles.filter(({ text }) => text !== null)
  try {
    return {
      model:
        given.model ?? ((await ask(`Model for everyone who works here, as provider/model? [each person's own; yours: ${model}]`)) || null),
      import:
        given.import ??
        (ready.length > 0 &&
          (await yes(`Import ${counted(ready.length, 'role')} from other tools? They are read-only until you trust them.`))),
      share: given.share ?? (git.top === null || (await yes('Share settings and roles in .troupe with the code, through git?'))),
    }
  } finally {
    terminal.close()
  }
}

/** Ctrl+C or Ctrl+D instead of an answer. */
function unanswered(cause: unknown): never {
  throw new Problem('stopped', 'stopped before anything was written', { cause })
}

/** A file that the next start would refuse is not written. */
function checked(answers: Answers): Answers {
  const model = Config.shape.model.safeParse(answers.model)
  if (model.success) return answers
  throw new Problem(
    'bad_input',
    `${answers.model} is not a model; write provider/model, such as anthropic/${hostedKinds.anthropic.default_model}`,
  )
}

function filesFor({ git, roles, config }: Survey, answers: Answers): NewFile[] {
  const imported = answers.import ? roles.flatMap(({ id, text }) => (text === null ? [] : [{ file: `.troupe/roles/${id}.md`, text }])) : []
  const ignore = { file: '.troupe/.gitignore', text: answers.share ? ownFilesIgnored : '*\n' }
  return [{ file: config, text: projectFile(answers.model) }, ...(git.top === null ? [] : [ignore]), ...imported]
}

function foundLines(found: Survey): string[] {
  const { instructions, roles, model } = found
  const rows = [
    ['git', repositoryText(found)],
    ['model', model === 'rehearsal' ? 'no key is set, so models are played by the rehearsal' : model],
    ...instructions.map((one) => [one.file, instructionText(one, instructions)]),
    ...roles.flatMap(({ tool, file, id, fault, notes }) => [
      [file, fault === null ? `a role of ${tool}: ${id}` : `a role of ${tool} that cannot be imported: ${fault}`],
      ...(fault === null ? notes.map((note) => ['', note]) : []),
    ]),
  ]
  return [paint('bold', 'Found'), columns(rows.map(([what = '', is = '']) => [`  ${shown(what)}`, shown(is)]))]
}

function repositoryText({ folder, git }: Survey): string {
  if (git.top === null) return 'none; the board and jobs need one: git init, then a first commit'
  const where =
    git.top === folder ? git.top : `${git.top}; the board uses the settings there, everything else those of the folder it starts in`
  return git.head === null ? `${where}; no commit yet, and the board and jobs need one: git add . && git commit` : where
}

/** AGENTS.md is what our agents are told; any other file can be made to be it by a link, as long as there is none. */
function instructionText({ file, told, folder }: InstructionsHere, all: readonly InstructionsHere[]): string {
  if (told) return 'is given to every agent'
  if (folder || all.some((one) => one.told)) return 'is not read; put what agents should know in AGENTS.md'
  return `is not read; to use it: ln -s ${file} AGENTS.md`
}

function writtenLines(written: readonly WrittenFile[]): string[] {
  const says = { written: 'written', kept: 'already exists, left unchanged', would_write: 'would be written' }
  return [paint('bold', 'Files'), columns(written.map(({ file, outcome }) => [`  ${file}`, says[outcome]]))]
}

function nextSteps({ git }: Survey, written: readonly WrittenFile[], dry: boolean): string[] {
  if (dry) return ['Nothing was changed.']
  const roles = written.filter(({ file, outcome }) => file.startsWith('.troupe/roles/') && outcome === 'written')
  return [
    ...roles.map(({ file }) => `Read ${file}; it is read-only until: troupe roles trust ${file}`),
    'See the settings in force: troupe config',
    git.top === null
      ? 'Plan something: troupe chat --role planner'
      : 'Plan something: troupe chat --role planner   or, on the board: troupe team --goal "…" --spec FILE',
    'See whether this machine has everything: troupe doctor',
  ]
}

/** The texts of roles are in the files; a script wants to know which there are. */
function withoutTexts({ roles, ...found }: Survey): object {
  return { ...found, roles: roles.map(({ tool, file, id, fault, notes }) => ({ tool, file, id, fault, notes })) }
}

/** A file to be, from the top of a folder. */
interface NewFile {
  file: string
  text: string
}

interface WrittenFile {
  file: string
  outcome: 'written' | 'kept' | 'would_write'
}

/** Writes files that are not there yet; one that is stays as it is. A dry run only says what would happen. */
async function writeNew(folder: string, files: readonly NewFile[], dry: boolean): Promise<WrittenFile[]> {
  for (const { file } of files) await refuseLinks(folder, dirname(file))
  const outcomes: WrittenFile[] = []
  for (const { file, text } of files) {
    const path = join(folder, file)
    const there = await lstat(path).catch(() => null)
    if (there === null && !dry) {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text, { flag: 'wx' })
    }
    outcomes.push({ file, outcome: there !== null ? 'kept' : dry ? 'would_write' : 'written' })
  }
  return outcomes
}

/** A cloned project whose `.troupe` leads to the user's own settings would have its roles written among those that are trusted. */
async function refuseLinks(folder: string, below: string): Promise<void> {
  if (below === '.') return
  await refuseLinks(folder, dirname(below))
  const there = await lstat(join(folder, below)).catch(() => null)
  if (there?.isSymbolicLink())
    throw new Problem('bad_input', `${below} is a symbolic link; nothing is written through it, so make it a folder`)
}

const HEAD = `# Troupe's settings for this project. They may only tighten what each person has set for themselves;
# \`troupe config\` shows what is in force and where it came from. Take a # away to set a value.`

/**
 * The settings file of a project: every setting a project may make, explained, with an example and switched off.
 * Written from the schema and the rules of trust, so that neither can say something else.
 */
export function projectFile(model: string | null): string {
  const sections = Object.entries(Config.shape).flatMap(([key, schema]) => {
    const lines = settingLines([key], schema)
    return lines.length === 0
      ? []
      : [[`# ${schema.description ?? ''}`, ...(key === 'model' && model !== null ? [`model: ${model}`] : lines)]]
  })
  return `${[HEAD, ...sections.map((lines) => lines.join('\n'))].join('\n\n')}\n`
}

/** `#key: value`, or the key alone and what is inside it below. */
function settingLines(path: readonly string[], schema: z.core.$ZodType): string[] {
  const key = path.at(-1) ?? ''
  const inside = shapeOf(schema)
  if (inside === null) return mayProjectSet(path) ? exampleLines(key, schema, path.length - 1) : []
  const lines = Object.entries(inside).flatMap(([inner, innerSchema]) => settingLines([...path, inner], innerSchema))
  return lines.length === 0 ? [] : [`#${key}:`, ...lines]
}

function exampleLines(key: string, schema: z.core.$ZodType, depth: number): string[] {
  const { description = '', examples } = z.globalRegistry.get(schema) ?? {}
  const [example] = Array.isArray(examples) ? examples : [z.parse(schema, undefined)]
  if (typeof example === 'object') return [`#${key}:`, ...Object.entries(example).map(([name, value]) => `#  ${name}: ${String(value)}`)]
  const remark = depth === 0 ? '' : `  # ${description}`
  return [`#${'  '.repeat(depth)}${key}: ${String(example)}${remark}`]
}

/** The fields of a group of settings; null for a single setting. */
function shapeOf(schema: z.core.$ZodType): Record<string, z.core.$ZodType> | null {
  const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema
  return inner instanceof z.ZodObject ? inner.shape : null
}
