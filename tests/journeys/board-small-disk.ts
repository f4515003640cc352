import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findBoard } from '../../src/board/find.ts'
import { commitWork } from '../../src/board/team/coder/git.ts'
import { runTroupe } from '../../src/cli/test-account.ts'
import { boardKey } from '../../src/domain/board/board.ts'
import { Problem } from '../../src/domain/problem.ts'
import { openStore } from '../../src/store/open.ts'
import { boardAgents, tasks } from '../../src/store/tables.ts'
import { branchHead } from '../../src/worktrees/branch.ts'
import { gitText, openRepository } from '../../src/worktrees/repository.ts'
import { beginRepository } from '../../src/worktrees/test-repository.ts'
import { withoutCommands } from '../../src/board/test-board.ts'

// Takes a task over a board whose project is on a disk that fills up again and again, and tells as JSON what came of each try:
// `board-small-disk.ts DISK HOME`. The store is elsewhere, so that it is git and the files of the project that have no room.
const [, , disk = '', home = ''] = process.argv
const project = join(disk, 'project')
const ballast = join(disk, 'ballast')
const store = `sqlite:${join(home, 'troupe.db')}`
const env = { PATH: process.env['PATH'] ?? '', HOME: home, TMPDIR: home, TROUPE_STORE: store }
const said: Record<string, unknown>[] = []

mkdirSync(project)
writeFileSync(join(project, 'large.bin'), randomBytes(1_000_000))
await beginRepository(project, { 'spec.md': '# Users\n\nList them.\n' })
await troupe('init', 'List the users', '--spec', 'spec.md', '--auto-approve')
const plan = [
  '--description',
  'List the users',
  '--spec',
  'spec.md',
  '--kind',
  'doc',
  '--done-when',
  'one.txt lists 2 users',
  '--scope',
  'IN: one.txt',
]
await troupe('add', '--id', 'one', ...plan)
await troupe('finalize', 'one')
const driver = await openStore(store)
const repository = await openRepository(project)
const board_id = (await findBoard(driver, project))?.id ?? ''

fillAllBut(300_000)
await tell('claim', 'claim', '--as', 'coder-1')
makeRoom()
await tell('claim again', 'claim', '--as', 'coder-1')

writeFileSync(join(project, '.troupe/worktrees/one/one.txt'), 'ann\nbob\n')
fillAllBut(0)
said.push({ at: 'commit', ...(await commit()), ...(await standing()) })
makeRoom()
await commit()
fillAllBut(0)
await tell('submit', 'submit', 'one', '--as', 'coder-1')
await tell('review', 'review', '--as', 'code-reviewer-1')
makeRoom()
await tell('review again', 'review', '--as', 'code-reviewer-1')
await troupe('verdict', 'one', '--as', 'code-reviewer-1', '--approve', 'one.txt lists 2 users')

fillAllBut(0)
await tell('merge', 'merge', 'one')
fillAllBut(4096)
await tell('merge with room for a commit', 'merge', 'one')
makeRoom()
await tell('merge again', 'merge', 'one')

const valid = (await troupe('validate')).code === 0
await driver.close()
process.stdout.write(JSON.stringify({ said, valid, merged: await gitText(project, ['show', 'integration:one.txt']) }))

async function tell(at: string, ...args: string[]): Promise<void> {
  said.push({ at, ...(await troupe(...args)), ...(await standing()) })
}

async function troupe(...args: string[]): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await runTroupe(['board', ...args], { cwd: project, env })
  return { code, text: stdout + stderr }
}

/** As the move of a coder makes it. */
async function commit(): Promise<{ code: string; text: string }> {
  const { item } = await boardAgents.get(driver, boardKey({ board_id, id: 'coder-1' }))
  const desk = { driver, board_id, repository, ...withoutCommands }
  try {
    const actor = { agent: item.id, generation: item.generation }
    return { code: 'done', text: commitWork.tell(await commitWork.run({ ...desk, actor }, { task: 'one', message: 'List them' })) }
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, text: error.message }
    throw error
  }
}

async function standing(): Promise<object> {
  const { status, iteration } = (await tasks.get(driver, boardKey({ board_id, id: 'one' }))).item
  const moved = (await branchHead(repository, 'integration')) !== (await branchHead(repository, 'main'))
  return { status, iteration, moved, laid_out: existsSync(join(project, '.troupe/worktrees/one/spec.md')) }
}

function fillAllBut(bytes: number): void {
  makeRoom()
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - bytes))
}

function makeRoom(): void {
  rmSync(ballast, { force: true })
}
