import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startModelServer } from '../../../tests/model-server.ts'
import { gitText } from '../../worktrees/repository.ts'
import { anAccount } from '../test-account.ts'

const manifest = {
  Worker: {
    name: 'Worker',
    description: 'Expert software development and implementation agent',
    instructions: 'You are an expert software engineer...',
    llm_model: 'grok-code-fast-1',
  },
  Supervisor: {
    name: 'Supervisor',
    description: 'Quality assurance and oversight specialist',
    instructions: 'You are a senior technical reviewer...',
    llm_model: 'gemini-2.5-flash',
  },
}

test('[J67] a manifest with bare model names, as the specification writes them, plays a job with the models of two makers', async (t) => {
  const done = JSON.stringify({ action: 'COMPLETED', evidence_files: [], summary_for_supervisor: 'It is done.' })
  const [xai, google] = [await startModelServer({ replies: [{ text: done }] }), await startModelServer({ replies: [{ text: done }] })]
  t.after(() => Promise.all([xai.close(), google.close()]))
  const account = await anAccount(t, {
    XAI_API_KEY: 'k-xai',
    XAI_BASE_URL: xai.url,
    GEMINI_API_KEY: 'k-google',
    GOOGLE_GEMINI_BASE_URL: google.url,
  })
  await gitText(account.project, ['init', '-q', '-b', 'main'])
  await gitText(account.project, ['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'Begin'])
  const roles = await account.write('.config/troupe/roles/roles.json', JSON.stringify(manifest))

  const checked = await account.troupe('roles', 'check', roles)
  await account.troupe('job', 'create', 'both', '--prompt', 'Do it', '--activate', '--dir', join(account.home, 'both'))
  const ran = await account.troupe('job', 'run', 'both')

  const { interactions } = JSON.parse(await readFile(join(account.home, 'both/jobHistory.json'), 'utf8'))
  assert.deepEqual([checked.code, ran.code], [0, 10], checked.stdout + ran.stderr)
  assert.deepEqual(
    interactions.map(({ request, response }: { request: { metadata: object }; response: object }) => ({
      ...request.metadata,
      ...response,
    })),
    [
      { role: 'Worker', phase: 'default', model: 'grok-code-fast-1', temperature: null, ...answered(done) },
      { role: 'Supervisor', phase: 'default', model: 'gemini-2.5-flash', temperature: null, ...answered(done) },
    ],
  )
  assert.deepEqual([xai.requests[0]?.body['model'], google.requests[0]?.path.includes('gemini-2.5-flash')], ['grok-code-fast-1', true])
})

function answered(raw_response: string) {
  return { status: 'SUCCESS', actions: ['COMPLETED'], evidence_files: [], summary_for_supervisor: 'It is done.', raw_response }
}
