import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { perform } from '../../src/domain/operation.ts'
import { addTask } from '../../src/board/task/add.ts'
import type { BoardWorkspace } from '../../src/board/context.ts'
import { finalizeTask } from '../../src/board/task/finalize.ts'
import { findBoard } from '../../src/board/find.ts'
import { beginGoal } from '../../src/board/goal/init.ts'
import type { BoardConfig } from '../../src/domain/board/board.ts'
import { anAccount, launcher } from '../../src/cli/test-account.ts'
import { entries } from '../../src/store/run-tables.ts'
import { testAddress } from '../../src/store/test-store.ts'
import { openStore } from '../../src/store/open.ts'
import { openRepository } from '../../src/worktrees/repository.ts'
import { beginRepository } from '../../src/worktrees/test-repository.ts'
import { withoutCommands } from '../../src/board/test-board.ts'

export type TeamProject = Awaited<ReturnType<typeof teamProject>>

/** A person's account with a repository, a script that plays the models, and the store, for journeys of a whole team. */
export async function teamProject(t: TestContext, script: object) {
  const account = await anAccount(t)
  await beginRepository(account.project, { 'spec.md': '# Users\n\nList them.\n', 'a.txt': 'one\n' })
  const repository = await openRepository(account.project)
  const store = await testAddress(account.home)
  const env = { ...account.env, TROUPE_STORE: store }
  const driver = await openStore(store)
  t.after(async () => {
    for (const entry of await entries.items(driver)) {
      if (entry.from === 'tool' && entry.outcome !== 'ok')
        t.diagnostic(`${entry.at} ${entry.role}: ${entry.tool} ${entry.outcome}: ${entry.output}`)
    }
    await driver.close()
  })
  return {
    ...account,
    env,
    repository,
    model: await account.script(script),
    desk: async (): Promise<BoardWorkspace> => {
      const board = await findBoard(driver, repository.root)
      return { driver, board_id: board?.id ?? '', repository, ...withoutCommands }
    },
    /** Starts a command of ours and hears its lines. */
    start: (args: readonly string[], onLine?: (line: string) => void, more: Record<string, string> = {}) =>
      startTroupe(t, account.project, { ...env, ...more }, args, onLine),
  }
}

/** Opens the board of a project; its plans approve themselves unless told otherwise. */
export async function openBoard(project: TeamProject, config: Partial<BoardConfig> = { auto_approve: true }): Promise<BoardWorkspace> {
  const { driver } = await project.desk()
  await beginGoal(driver, project.repository, { goal: 'List the users', spec_ref: 'spec.md', config }, 'ann')
  return project.desk()
}

/** Puts the one task of a small journey on a board: a file `list.txt`. */
export async function addListTask(board: BoardWorkspace): Promise<void> {
  const plan = { description: 'List', kind: 'doc', spec_ref: 'spec.md', done_when: 'list.txt exists', scope: 'IN: a file' } as const
  await perform(addTask, { ...board, actor: { human: 'ann' } }, { id: 'list', ...plan })
  await perform(finalizeTask, { ...board, actor: { human: 'ann' } }, { task: 'list' })
}

/** Starts a command of ours in a folder and hears its lines; killed with the test, which tells them where it fails. */
export function startTroupe(
  t: TestContext,
  cwd: string,
  env: Record<string, string>,
  args: readonly string[],
  onLine: (line: string) => void = () => undefined,
) {
  const child = spawn(launcher, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const said = [`troupe ${args.join(' ')}`]
  t.after(() => {
    child.kill('SIGKILL')
    t.diagnostic([...said, `exit ${child.exitCode}`].join('\n'))
  })
  const hear = (line: string) => {
    said.push(line)
    onLine(line)
  }
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', hear)
  const ended = once(child, 'exit').then(([code]) => (typeof code === 'number' ? code : null))
  return { child, ended }
}
