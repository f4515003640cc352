import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testPostgresAddress } from '../../src/store/postgres/test-postgres.ts'
import { startModelServer } from '../model-server.ts'
import type { Step } from './console-block.ts'

/** The PostgreSQL of the pages. */
const DATABASE = 'postgres://troupe:secret@db.example.org/troupe'

/** The coding agents of the pages, and where each keeps its own things. */
const agents = { claude: ['.claude/', '.claude.json'], codex: ['.codex/'], gemini: ['.gemini/'] }

const plan = { id: 'list', description: 'List the users', kind: 'doc', spec_ref: 'specs/users.md' }
const moves = {
  planner: [
    { move: 'add_task', input: { ...plan, done_when: 'users.txt exists', scope: 'IN: users.txt' } },
    { move: 'finalize_task', input: { task: 'list' } },
  ],
  coder: [
    { move: 'commit_work', input: { message: 'List the users' } },
    { move: 'submit_for_review', input: {} },
  ],
  reviewer: [{ move: 'submit_verdict', input: { verdict: 'APPROVED', criteria: [{ criterion: 'done_when', evidence: 'users.txt' }] } }],
}

/** A coding agent that reads its prompt and does the least that its role asks for. */
const program = `#!/bin/sh
case "$* $(cat)" in
  *'PLANNER role'*) echo '${JSON.stringify({ moves: moves.planner })}' ;;
  *'REVIEWER role'*) echo '${JSON.stringify({ moves: moves.reviewer })}' ;;
  *'CODER role'*) echo ann > users.txt; echo '${JSON.stringify({ moves: moves.coder })}' ;;
  *) echo 'Nothing fails.' ;;
esac
`

/** What the pages need and a machine with an empty home has not: a script for a coding agent, a server for a model, a database of one's own. */
export async function openStandIns(folder: string) {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  for (const name of Object.keys(agents)) {
    writeFileSync(join(programs, name), program)
    chmodSync(join(programs, name), 0o755)
  }
  const model = await startModelServer()
  const database = await testPostgresAddress()
  const installed = Object.values(agents).flat()
  const settings = installed.map((path) => (path.endsWith('/') ? `mkdir -p ~/${path}` : `touch ~/${path}`))

  /** The command of a step, with something in the place of what it needs. */
  function inPlace({ command, needs }: Step): string {
    const reached = command.replaceAll(DATABASE, `'${database}'`)
    if (needs === null || reached !== command) return reached
    if (needs === 'a key') return `ANTHROPIC_API_KEY=key ANTHROPIC_BASE_URL=${model.url} ${command}`
    if (/Claude Code|Codex|Gemini/.test(needs)) return `${settings.join('; ')}; PATH='${programs}':"$PATH" ${command}`
    return `echo nothing stands in for: ${needs}; false`
  }

  return { inPlace, close: () => model.close() }
}
