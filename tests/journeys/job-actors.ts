import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChosenModel } from '../../src/agent/agent.ts'
import { outsideAgentModel } from '../../src/agent/outside.ts'
import type { Run } from '../../src/domain/run.ts'
import { exit } from '../../src/jobs/test-job.ts'
import type { ModelRequest } from '../../src/providers/provider.ts'
import { scriptedProvider } from '../../src/providers/script/scripted.ts'
import { detectSandbox } from '../../src/sandbox/detect.ts'
import type { SandboxState } from '../../src/sandbox/sandbox.ts'

/** The two kinds of agents that can sit in a job. */
export type Kind = 'scripted' | 'outside'

/**
 * What happens in the life of the job, whoever plays it. In the first phase the Worker forgets its exit command and the Supervisor wants more,
 * in the second the Worker starts over, in the third it asks. Each answer follows from what is asked alone, so that a killed
 * process can be followed by any other.
 */
export const expected = 'INVALID COMPLETED RETRY COMPLETED COMPLETED RETRY COMPLETED COMPLETED STUCK COMPLETED COMPLETED'.split(' ')

/** The files the job leaves. */
export const made = ['one-also.txt', 'one.txt', 'three.txt', 'two.txt']

/** What the Steward says to the Worker that is stuck. */
export const advice = 'Greet the world.'

/** Those who play, each writing a line to a ledger when it is asked: what is paid for, whatever becomes of it. */
export async function actorsOf(
  kind: Kind,
  folder: string,
): Promise<{ sandbox: SandboxState; chosenModelFor: (run: Run) => Promise<ChosenModel> }> {
  if (kind === 'scripted') {
    const provider = scriptedProvider([(request: ModelRequest) => ({ ...answer(request, folder), usage, repeat: true })])
    const sandbox: SandboxState = { kind: 'none', reason: 'no command is run', fix: 'none' }
    return { sandbox, chosenModelFor: async () => ({ provider, model: 'test' }) }
  }
  const sandbox = await detectSandbox()
  const outside = {
    name: 'outside',
    command: '/bin/sh',
    args: [join(import.meta.dirname, '../fixtures/job-agent.sh'), join(folder, 'ledger')],
    mounts: [join(folder, 'ledger'), join(import.meta.dirname, '../fixtures')],
    env: {},
  }
  return { sandbox, chosenModelFor: async (run) => outsideAgentModel(outside, run, sandbox) }
}

const usage = { input_tokens: 10, output_tokens: 1, cost_microusd: 7 }

function answer({ system, entries }: ModelRequest, folder: string) {
  appendFileSync(join(folder, 'ledger/asked'), 'asked\n')
  const said = entries.flatMap((entry) => (entry.from === 'user' ? [entry.text] : []))
  const phase = /phase \d of \d: (\w+)/.exec(said[0] ?? '')?.[1] ?? 'none'
  if (said.length > 1) return { text: exit('COMPLETED', [`${phase}.txt`], 'One file.') }
  if (system.includes('SUPERVISOR role')) return { text: review(phase, said[0] ?? '') }
  if (phase === 'two' && !system.includes('The last attempt failed')) return { text: exit('RETRY', [], 'Start smaller.') }
  if (phase === 'three' && !system.includes(advice)) return { text: exit('STUCK', [], 'Whom to greet?') }
  const path = system.includes('A second file is missing') ? `${phase}-also.txt` : `${phase}.txt`
  if (!entries.some((entry) => entry.from === 'tool')) return { calls: [{ tool: 'create_file', input: { path, content: `${phase}\n` } }] }
  return { text: path === 'one.txt' ? 'I am done.' : exit('COMPLETED', [path], 'One file.') }
}

function review(phase: string, order: string): string {
  const short = phase === 'one' && !order.includes('one-also.txt')
  return short ? exit('RETRY', [], 'A second file is missing') : exit('COMPLETED', [], 'It is as it should be.')
}
