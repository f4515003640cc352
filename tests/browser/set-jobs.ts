import { join } from 'node:path'
import { plainAgent, plainGround } from '../../src/agent/test-agent.ts'
import type { Usage } from '../../src/domain/entry.ts'
import type { Job } from '../../src/domain/job/job.ts'
import { activateJob } from '../../src/jobs/steward/activate.ts'
import { approveJob } from '../../src/jobs/steward/approve.ts'
import { cancelJob } from '../../src/jobs/steward/cancel.ts'
import type { JobContext } from '../../src/jobs/context.ts'
import { stepJob } from '../../src/jobs/step/step.ts'
import { suspendJob } from '../../src/jobs/steward/suspend.ts'
import { exit, makes, never, makeJob } from '../../src/jobs/test-job.ts'
import type { StepInput } from '../../src/providers/script/script.ts'
import type { ModelRequest } from '../../src/providers/provider.ts'
import { scriptedProvider } from '../../src/providers/script/scripted.ts'
import { detectSandbox } from '../../src/sandbox/detect.ts'
import { jobs } from '../../src/store/tables.ts'
import { setRepository } from './set-board.ts'
import type { Troupe } from './start-troupe.ts'
import { perform } from '../../src/domain/operation.ts'

const usage = (cost_microusd: number): Partial<Usage> => ({ input_tokens: 4200, output_tokens: 380, cost_microusd })

const written = (path: string, content: string) => ({ ...makes(path, content), usage: usage(9_000) })

/** Two phases: a fresh start, an exit command that had to be repaired, work sent back once, and an approval that is awaited. */
const life: readonly StepInput<ModelRequest>[] = [
  {
    text: exit('RETRY', [], 'The cursor cannot be an offset: rows are deleted in between. Start over with the id of the last row.'),
    usage: usage(14_000),
  },
  written('docs/cursor.md', '# Cursor\n\nThe id of the last row, in base64url.\n'),
  { text: 'I have written down how a cursor looks. Let me know if anything is missing.', usage: usage(11_000) },
  {
    text: exit(
      'COMPLETED',
      ['docs/cursor.md', 'docs/errors.md', '../notes.md'],
      'The format of a cursor is written down in docs/cursor.md, with an example.',
    ),
    usage: usage(3_000),
  },
  {
    text: `I compared the claims with the diff.\n\n${exit('COMPLETED', ['docs/cursor.md'], 'The design covers the spec. docs/errors.md does not exist, but is not needed.')}`,
    usage: usage(21_000),
  },
  written('src/cursor.ts', 'export const encode = (id: number) => btoa(String(id))\n'),
  { text: exit('COMPLETED', ['src/cursor.ts', 'src/users.ts'], 'encode() is there. All tests pass.'), usage: usage(18_000) },
  {
    text: exit('RETRY', [], 'The check for decode fails and nothing tests a damaged cursor. Add decode() with tests.'),
    usage: usage(24_000),
  },
  written('src/cursor.test.ts', "import './cursor.ts'\n// decode\n"),
  { text: exit('COMPLETED', ['src/cursor.test.ts'], 'decode() is tested with a damaged cursor.'), usage: usage(16_000) },
  {
    text: exit('COMPLETED', ['src/cursor.ts', 'src/cursor.test.ts'], 'Cursor and tests are as the spec wants them.'),
    usage: usage(22_000),
  },
  { text: exit('STUCK', [], 'Are orders paged by date or by number? The spec says both.'), usage: usage(8_000) },
  { text: exit('COMPLETED', [], 'Every list says its limits.'), usage: usage(5_000) },
  { text: exit('COMPLETED', [], 'Good.'), usage: usage(6_000) },
]

const modelFor = (role: string) => (role === 'supervisor' ? 'openai/gpt-5' : 'anthropic/claude-sonnet')

/** A context on the store of a running server, whose agents follow the script. */
async function openJobContext(troupe: Troupe): Promise<JobContext> {
  const driver = await troupe.openStore()
  const provider = scriptedProvider(life)
  const agent = await plainAgent({ driver, chosenModelFor: async () => ({ provider, model: 'test' }), sandbox: await detectSandbox() })
  return { ...plainGround(agent, { modelFor }), jobsDir: join(troupe.home, 'troupe/jobs') }
}

/** Jobs in nearly every state; `paging` is the one worth reading. */
export async function setJobs(troupe: Troupe): Promise<JobContext> {
  const context = await openJobContext(troupe)
  const { root } = await setRepository(troupe.workspace)
  const make = async (id: string, objective: string, more: Readonly<Record<string, unknown>> = {}, activate = true): Promise<void> => {
    await makeJob(context, { id, source: root, spec: { objective, ...more } })
    if (activate) await perform(activateJob, context, { job: id })
  }
  await make('paging', 'Page every list of the API by 50, with a cursor', {
    acceptance_criteria: ['GET /users gives 50 items and a cursor', 'A damaged cursor answers 400'],
    phases: [{ name: 'design', description: 'Write down how a cursor looks' }, { name: 'build' }, { name: 'document' }],
    checks: [
      { name: 'cursor', command: 'test -f docs/cursor.md && echo docs/cursor.md is there' },
      { name: 'decode', command: 'grep -rn decode src || { echo "no decode in src" >&2; exit 1; }' },
    ],
    limits: { max_cost_microusd: 500_000 },
  })
  await untilPerson(context, 'paging')
  await perform(approveJob, context, { job: 'paging', note: 'Go on' })
  await untilPerson(context, 'paging')
  await make('orders', 'Page GET /orders by 50')
  await untilPerson(context, 'orders')
  await make('limits', 'Refuse a page size above 200')
  await untilPerson(context, 'limits')
  await perform(approveJob, context, { job: 'limits' })
  await make('invoices', 'Page GET /invoices by 50, oldest first')
  await make('metrics', 'Count pages per list and print them on /metrics')
  await make('search', 'Search by name')
  await perform(suspendJob, context, { job: 'search', note: 'After the release' })
  await make('export', 'Export everything as CSV')
  await perform(cancelJob, context, { job: 'export', note: 'Nobody needs it' })
  await make('client', 'Let the client follow cursors', {}, false)
  return context
}

/** Steps a job until only a person can go on. */
async function untilPerson(context: JobContext, id: string): Promise<Job> {
  let { item } = await jobs.get(context.agent.driver, id)
  while (item.status === 'PENDING' || item.status === 'REVIEW_REQUIRED') item = await stepJob(context, id, never)
  return item
}
