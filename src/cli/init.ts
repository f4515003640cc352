import { resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import type { Command } from 'commander'
import { ownFilesIgnored } from '../board/worktree/own-files.ts'
import { projectFile } from '../config/project-file.ts'
import { Config } from '../config/schema.ts'
import { counted } from '../domain/text/counted.ts'
import { Problem } from '../domain/problem.ts'
import { hostedKinds } from '../providers/settings.ts'
import { survey, type Instructions, type Survey } from './doctor/survey.ts'
import { columns, paint, printResult, shown } from './terminal.ts'
import { writeNew, type NewFile, type WrittenFile } from './write-new.ts'

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
    .option('--import', "take over other tools' roles; they only read until you trust them")
    .option('--no-import', "leave other tools' roles alone")
    .option('--share', 'settings and roles go with the code, what Troupe makes does not')
    .option('--no-share', 'git ignores everything in .troupe')
    .option('--yes', 'ask nothing and do what is usual')
    .option('--dry-run', 'only say what would be written')
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
      model: given.model ?? ((await ask(`Which model should play here, as provider/model? [each person's own; yours: ${model}]`)) || null),
      import:
        given.import ??
        (ready.length > 0 &&
          (await yes(`Take over ${counted(ready.length, 'role')} of other tools? They only read until you trust them.`))),
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
    `${answers.model} is no model; it is provider/model, such as anthropic/${hostedKinds.anthropic.default_model}`,
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
    ...roles.map(({ tool, file, id, fault }) => [
      file,
      fault === null ? `a role of ${tool}: ${id}` : `a role of ${tool} that cannot be taken over: ${fault}`,
    ]),
  ]
  return [paint('bold', 'Found'), columns(rows.map(([what = '', is = '']) => [`  ${shown(what)}`, shown(is)]))]
}

function repositoryText({ folder, git }: Survey): string {
  if (git.top === null) return 'none; the board and jobs need one: git init, then a first commit'
  const where =
    git.top === folder ? git.top : `${git.top}; the board reads the settings there, everything else those of the folder it is started in`
  return git.head === null ? `${where}; no commit yet, and the board and jobs need one: git add . && git commit` : where
}

/** AGENTS.md is what our agents are told; any other file can be made to be it by a link, as long as there is none. */
function instructionText({ file, told, folder }: Instructions, all: readonly Instructions[]): string {
  if (told) return 'is told to every agent'
  if (folder || all.some((one) => one.told)) return 'is not read; what agents should know belongs in AGENTS.md'
  return `is not read; to have it read: ln -s ${file} AGENTS.md`
}

function writtenLines(written: readonly WrittenFile[]): string[] {
  const says = { written: 'written', kept: 'was there and is left as it is', would_write: 'would be written' }
  return [paint('bold', 'Files'), columns(written.map(({ file, outcome }) => [`  ${file}`, says[outcome]]))]
}

function nextSteps({ git }: Survey, written: readonly WrittenFile[], dry: boolean): string[] {
  if (dry) return ['Nothing was changed.']
  const roles = written.filter(({ file, outcome }) => file.startsWith('.troupe/roles/') && outcome === 'written')
  return [
    ...roles.map(({ file }) => `Read ${file}; it only reads until: troupe roles trust ${file}`),
    'See what is in force: troupe config',
    git.top === null
      ? 'Plan something: troupe chat --role planner'
      : 'Plan something: troupe chat --role planner   or, on the board: troupe team --goal "…" --spec FILE',
    'See whether this machine has everything: troupe doctor',
  ]
}

/** The texts of roles are in the files; a script wants to know which there are. */
function withoutTexts({ roles, ...found }: Survey): object {
  return { ...found, roles: roles.map(({ tool, file, id, fault }) => ({ tool, file, id, fault })) }
}
