import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { stepsOf } from '../docs/console-block.ts'
import { freshClone } from '../docs/fresh-clone.ts'
import { blocksOf, pages, type Block } from '../docs/page.ts'
import { openSession, type Session } from '../docs/session.ts'
import { openStandIns } from '../docs/stand-ins.ts'
import { textOf } from '../sources.ts'

/** What runs this page must not be run by it; `tests/docs.test.ts` holds that these exist. */
const runElsewhere = /^npm (test|run)\b/

let fresh: ReturnType<typeof freshClone>
let standIns: Awaited<ReturnType<typeof openStandIns>>
before(async () => {
  fresh = freshClone()
  standIns = await openStandIns(fresh.folder)
})
after(async () => {
  await standIns.close()
  fresh.remove()
})

test('[D4] on a fresh clone in an empty home every command of README.md gives what the page says', async () => {
  const wrong = await read('README.md', fresh.clone)

  assert.deepEqual(wrong, [])
})

test('[D4] in an empty home every command of the other pages gives what the page says', async () => {
  const others = pages().filter((page) => page !== 'README.md' && named(page) && hasCommands(page))

  const wrong = await Promise.all([0, 1, 2].map((reader) => readAll(others.filter((_, at) => at % 3 === reader))))

  assert.deepEqual(wrong.flat(), [])
})

async function readAll(some: readonly string[]): Promise<string[]> {
  const wrong: string[] = []
  for (const page of some) wrong.push(...(await read(page)))
  return wrong
}

/** The programs of the machine: a newcomer has the Node that was installed, not the one we bring along. */
function ownPath(): string {
  return (process.env['PATH'] ?? '')
    .split(':')
    .filter((folder) => !folder.includes('node_modules'))
    .join(':')
}

/** Whoever writes a page can have that one read alone: `TROUPE_PAGE=board`. */
function named(page: string): boolean {
  return page.includes(process.env['TROUPE_PAGE'] ?? '')
}

/** Reads a page as a person would who does what it says: saves its files and types its commands. Stops at the first that is not as told. */
async function read(page: string, folder?: string): Promise<string[]> {
  const home = join(fresh.folder, page.replaceAll(/\W/g, '-'))
  mkdirSync(home)
  // README says how to come to have the command; whoever reads another page has done that.
  const path = folder === undefined ? `${join(fresh.clone, 'bin')}:${ownPath()}` : ownPath()
  // Each page has a home of its own; without this every one of them would compile the program again.
  const session = openSession(home, folder ?? home, path, { NODE_COMPILE_CACHE: join(fresh.folder, 'compiled') })
  for (const block of blocksOf(page, textOf(page))) {
    const wrong = await follow(session, block)
    if (wrong !== null) return [wrong]
  }
  return []
}

async function follow(session: Session, block: Block): Promise<string | null> {
  if (block.file !== null) await session.save(block.file, `${block.lines.join('\n')}\n`)
  if (block.language !== 'console') return null
  for (const step of stepsOf(block.lines, block.line + 1) ?? []) {
    if (runElsewhere.test(step.command)) continue
    const wrong = await session.run({ ...step, command: standIns.inPlace(step) })
    if (wrong !== null) return `${block.page}:${step.line} $ ${step.command}\n${wrong}`
  }
  return null
}

function hasCommands(page: string): boolean {
  return blocksOf(page, textOf(page)).some(({ language }) => language === 'console')
}
