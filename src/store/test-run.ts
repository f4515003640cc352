import { Run } from '../domain/run.ts'

/** A run for tests and benchmarks, valid as it is. */
export function testRun(over: Partial<Run> = {}): Run {
  return Run.parse({
    id: 'run_1',
    thread_id: 'thread_1',
    agent_role: 'actor',
    permissions: ['read_files'],
    ceiling: ['read_files'],
    model: 'scripted/example',
    workspace: '/workspace',
    status: 'running',
    usage: {},
    limits: {},
    started_at: '2026-01-01T00:00:00.000Z',
    ...over,
  })
}
