import { setRepository } from './set-board.ts'
import type { Replies, Troupe } from './start-troupe.ts'

const exit = (action: string, evidence_files: string[], summary_for_supervisor: string) => ({
  text: '',
  calls: [{ tool: 'exit', input: { action, evidence_files, summary_for_supervisor } }],
  usage: { input_tokens: 2400, output_tokens: 280 },
})

const write = (path: string, content: string) => ({ text: '', calls: [{ tool: 'create_file', input: { path, content } }] })

/** What the agents of the job say: work that is sent back once, then passes. */
export const jobReplies: Replies = [
  write('src/page.ts', 'export const pageSize = 100\n'),
  exit('COMPLETED', ['src/page.ts'], 'Lists are paged by the constant pageSize.'),
  exit('RETRY', [], 'The spec says 50 items to a page; src/page.ts says 100.'),
  { text: '', calls: [{ tool: 'update_file', input: { path: 'src/page.ts', old_text: '100', new_text: '50' } }] },
  exit('COMPLETED', ['src/page.ts'], 'pageSize is 50 now, as the spec says.'),
  exit('COMPLETED', [], 'Compared src/page.ts with specs/paging.md: 50 items to a page.'),
]

/** A job that was worked on, sent back, mended and let pass, and now waits for its Steward; or one that nobody worked on yet. */
export async function setJob(troupe: Troupe, files: Readonly<Record<string, string>> = {}, work = true): Promise<void> {
  await setRepository(troupe.workspace, files)
  const fields = { objective: 'Page every list by 50', check: ['spec=grep -q 50 src/page.ts'] }
  await troupe.ask('POST', '/api/job/create', { id: 'paging', source: troupe.workspace, activate: true, ...fields })
  if (work) await troupe.ask('POST', '/api/job/start', { job: 'paging', how_far: 'run' })
}
