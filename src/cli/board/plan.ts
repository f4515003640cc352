import type { Command } from 'commander'
import { boardOperations } from '../../board/operations.ts'
import { initBoard } from '../../board/goal/init.ts'
import { writeProjection } from '../../board/view/projection.ts'
import { definedOnly } from '../../domain/text/unknown-value.ts'
import type { Driver } from '../../store/driver.ts'
import { openRepository, type Repository } from '../../worktrees/repository.ts'
import { addCommands } from '../operation-commands.ts'
import { printResult } from '../terminal.ts'
import { boardArea } from './area.ts'
import { exampled, inProject, personDeciding, skipsSpecCheck, type BoardOptions, type SpecCheck } from './context.ts'
import { boardExtras } from './extras.ts'
import { timeOf } from './input.ts'

/** init, and every operation: add, edit, finalize, approve-plan, unblock, supersede, abandon, … */
export function defineBoardPlan(noun: Command): void {
  defineInit(noun)
  addCommands(noun, boardOperations, boardArea, boardExtras)
}

interface InitOptions extends BoardOptions, SpecCheck {
  spec?: string
  integrationBranch?: string
  integrationTest?: string
  base?: string
  remote?: string
  deadline?: string
  autoApprove?: boolean
}

function defineInit(noun: Command): void {
  const init = exampled(noun, 'init', 'open a board for a goal in this repository')
    .argument('<goal>')
    .option('--spec <file>', 'the spec of the goal')
    .option('--integration-branch <name>', 'where approved work is merged')
    .option('--integration-test <command>', 'what must succeed on a merge result before the branch moves')
    .option('--base <branch>', 'the branch that the work is based on and that is taken in; the one checked out when left out')
    .option('--remote <name>', 'the git remote through which other machines take part')
    .option('--deadline <time>', 'when the sprint ends, as an ISO time', (word) => timeOf('--deadline', word))
    .option('--auto-approve', 'let finalized tasks be claimed without a person approving the plan')
    .option('--dry-run', 'say what would happen and change nothing')
  skipCheck(init).action(async (goal: string, _options: unknown, command: Command) => {
    const options = command.optsWithGlobals<InitOptions>()
    const open = async (driver: Driver, repository: Repository) => {
      const { spec, deadline = null } = options
      const skip_spec_file_check = skipsSpecCheck(options)
      const request = { goal, spec_ref: spec, config: configFrom(options), deadline, skip_spec_file_check, dry: options.dryRun === true }
      const made = await initBoard(driver, repository, request, personDeciding())
      if (options.dryRun !== true) await writeProjection({ driver, board_id: made.id, repository })
      const opened = `${options.dryRun === true ? 'Would open' : 'Opened'} a board for "${made.goal.description}"`
      printResult(options.json, made, `${opened}; approved work goes to ${made.config.integration_branch}.`)
    }
    await inProject(options.cwd, open, openRepository)
  })
}

function configFrom({ integrationBranch, integrationTest, base, remote, autoApprove }: InitOptions) {
  const settings = { integration_branch: integrationBranch, integration_test: integrationTest, base_branch: base }
  return definedOnly({ ...settings, remote, auto_approve: autoApprove })
}

function skipCheck(verb: Command): Command {
  return verb.option('--skip-spec-file-check', 'the spec file need not exist; this is logged')
}
