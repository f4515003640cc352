import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { needBoard } from '../../board/find.ts'
import { importState } from '../../board/import/import.ts'
import { openProject } from '../../board/worktree/project.ts'
import { writeProjection } from '../../board/view/projection.ts'
import { boardState } from '../../board/view/state.ts'
import { validateGit } from '../../board/health/validate-git.ts'
import { parseState, validateState } from '../../board/health/validate.ts'
import type { Violation } from '../../domain/board/rule.ts'
import { counted } from '../../domain/text/counted.ts'
import { Problem } from '../../domain/problem.ts'
import { refuseExisting } from '../../sandbox/files/refuse-existing.ts'
import { existingFolder } from '../../sandbox/files/existing-folder.ts'
import {
  boardVerb,
  exampled,
  inProject,
  looking,
  personDeciding,
  skipsSpecCheck,
  type BoardCall,
  type BoardOptions,
  type SpecCheck,
} from './context.ts'
import { readText, writeText } from '../named-file.ts'
import { inLine, print, printJson, printResult, say } from '../terminal.ts'

/** validate, import, export: a board as a file. */
export function defineBoardFiles(noun: Command): void {
  exampled(noun, 'validate', 'check a state.yaml, or the board of this project, and say everything that is wrong')
    .argument('[file]')
    .option('--skip-spec-file-check', 'spec files need not exist')
    .action(validate)
  exampled(noun, 'import', 'make a board from a state.yaml')
    .argument('<file>')
    .option('--dry-run', 'say what would happen and change nothing')
    .action(importFile)
  boardVerb(noun, 'export', 'print the board as a state.yaml, or write it to a file')
    .argument('[file]')
    .option('--dry-run', 'write no file')
    .action(looking(exportFile))
}

async function validate(file: string | undefined, _options: unknown, command: Command): Promise<void> {
  const options = command.optsWithGlobals<BoardOptions & SpecCheck>()
  const { root, isRepository } = await projectOf(file, options.cwd)
  const own = file === undefined ? await ownBoard(options) : null
  const document = own === null ? await parseState(await textOf(file ?? ''), file ?? '') : own.state
  const skip_spec_file_check = skipsSpecCheck(options)
  const git = own?.git ?? null
  const found = validateState(document, { root, now: new Date(), skip_spec_file_check, git, shared: own?.shared === true })
  const errors = found.filter(({ severity }) => severity === 'error')
  if (options.json !== true) {
    if (!isRepository) say(`spec files and worktrees were looked for in ${root}; --cwd names another folder`)
    for (const line of found) say(lineOf(line))
  }
  if (errors.length > 0) {
    throw new Problem('bad_input', `INVALID: ${counted(errors.length, 'violation')}`, { details: { violations: found } })
  }
  const kept_refs = git?.kept_refs ?? []
  printResult(options.json, { valid: true, violations: found, kept_refs }, ['VALID', ...kept_refs.map((ref) => `kept: ${ref}`)].join('\n'))
}

/** A document is judged anywhere: beside no repository it is held against the folder that was named, or the one it lies in. */
async function projectOf(file: string | undefined, cwd: string | undefined): Promise<{ root: string; isRepository: boolean }> {
  const here = existingFolder(resolve(cwd ?? '.'))
  const repository = await openProject(here).catch(() => null)
  if (repository !== null) return { root: repository.root, isRepository: true }
  const beside = dirname(resolve(file ?? '')).replace(/\/\.(troupe|liza)$/, '')
  return { root: cwd === undefined && file !== undefined ? beside : here, isRepository: false }
}

/** The board of this project, and what git says about it. */
async function ownBoard({ cwd }: BoardOptions) {
  return inProject(cwd, async (driver, repository) => {
    const { id: board_id, config } = await needBoard(driver, repository.root)
    const desk = { driver, board_id, repository }
    return { state: await boardState(desk), git: await validateGit(desk), shared: config.remote !== null }
  })
}

async function importFile(file: string, _options: unknown, command: Command): Promise<void> {
  const options = command.optsWithGlobals<BoardOptions>()
  const dry = options.dryRun === true
  const document = await parseState(await textOf(file), file)
  await inProject(options.cwd, async (driver, repository) => {
    const imported = await importState(driver, repository, document, { by: personDeciding(), dry })
    if (!dry) await writeProjection({ driver, board_id: imported.board.id, repository })
    if (options.json === true) return printJson(imported)
    const { integration_branch, integration_test } = imported.board.config
    print(
      `${dry ? 'Would import' : 'Imported'} ${counted(imported.tasks, 'task')}. To be claimed anew: ${imported.returned.join(', ') || 'none'}.\n` +
        (imported.drafts.length === 0
          ? ''
          : `DRAFT, because something is missing that troupe board finalize will name: ${imported.drafts.join(', ')}.\n`) +
        `Approved work goes to ${inLine(integration_branch)}${integration_test === null ? '' : ` after ${inLine(integration_test)}`}. Let the plan be worked on with: troupe board approve-plan`,
    )
  })
}

async function exportFile({ board, options, args: [file] }: BoardCall<object>) {
  const state = await boardState(board)
  const { stringify } = await import('yaml')
  const yaml = stringify(state, { lineWidth: 0, aliasDuplicateObjects: false })
  if (file === undefined) return { value: state, text: yaml.trimEnd() }
  refuseExisting(file)
  if (options.dryRun === true) return { value: { file }, text: `Would write: ${file}` }
  await writeText(file, yaml, { mode: 0o600 })
  return { value: { file }, text: `Written: ${file}` }
}

function lineOf({ rule, subject, message, severity }: Violation): string {
  return `${severity === 'error' ? 'INVALID' : 'warning'} [${rule}] ${subject}: ${message}`
}

function textOf(file: string): Promise<string> {
  return readText(file, 'name a state.yaml')
}
