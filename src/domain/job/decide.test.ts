import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approvePhase, decide, moveJob, type ExchangeResult } from './decide.ts'
import { isFinal, nextState } from '../flow.ts'
import { jobFlow, seatFor, type JobActor, type JobMoveName } from './flow.ts'
import { Job } from './job.ts'
import { rowsOf } from '../test-each.ts'

const now = new Date('2026-01-01T00:00:00.000Z')
const actors: JobActor[] = ['worker', 'supervisor', 'steward', 'runtime']
const names = Object.keys(jobFlow.moves) as JobMoveName[] // keys of the table are its moves

test('[J1] of all states, actors and moves exactly those of the table are made, and a refusal says what would have been right', () => {
  let made = 0
  for (const state of jobFlow.states) {
    for (const name of names) {
      for (const actor of actors) {
        const { from, to, by } = jobFlow.moves[name]
        const starts = (from as readonly string[]).includes(state) // wider than the row's own words, here and below
        if (starts && (by as readonly string[]).includes(actor)) {
          assert.equal(moveJob(aJob({ status: state }), name, actor).job.status, to)
          made += 1
        } else assert.throws(() => nextState(jobFlow, state, name, actor), { code: starts ? 'forbidden' : 'move_refused' })
      }
    }
  }
  assert.equal(made, 52)
})

test('[J1] a refusal suggests to a person what leads on, and moves to everyone else', () => {
  const input = { job: 'fix' }
  const again = { operation: 'job.resubmit', input: { job: 'fix', review: true } }
  const [restep, suspend] = ['job.restep', 'job.suspend'].map((operation) => ({ operation, input }))
  assert.throws(() => nextState(jobFlow, 'INTERVENTION_REQUIRED', 'approve_job', 'steward', input), {
    message: /^cannot approve this job: it is /,
    next: [{ operation: 'job.resubmit', input }, again, restep, suspend],
  })
  assert.throws(() => nextState(jobFlow, 'RUNNING', 'resume_work', 'steward', input), {
    message: /^cannot resume this job: it is /,
    next: [suspend],
  })
  assert.throws(() => nextState(jobFlow, 'RUNNING', 'halt', 'runtime'), {
    message: /must be PENDING or REVIEW_REQUIRED first; runtime may put_back_work, take_up_work, give_up it now$/,
  })
})

test('[J2] SUCCESS and CANCELED are final, and no other state is', () => {
  const final = jobFlow.states.filter((state) => isFinal(jobFlow, state))

  assert.deepEqual(final, ['SUCCESS', 'CANCELED'])
  for (const state of final) assert.throws(() => decide(aJob({ status: state }), says('STUCK'), 'once', now), { code: 'move_refused' })
})

test('[J6] the seat follows the state and nothing else', () => {
  const seats = jobFlow.states.map((state) => [state, seatFor(state)]).filter(([, seat]) => seat !== null)

  assert.deepEqual(seats, [
    ['PENDING', 'worker'],
    ['RUNNING', 'worker'],
    ['REVIEW_REQUIRED', 'supervisor'],
    ['REVIEWING', 'supervisor'],
  ])
})

test('[J7] the Worker leads to review, to its Steward, or to a fresh start that is counted and capped', () => {
  const working = aJob({ status: 'RUNNING', limits: { max_retries: 1 } })

  const completed = decide(working, says('COMPLETED'), 'once', now).job
  const stuck = decide(working, says('STUCK'), 'once', now).job
  const once = decide(working, says('RETRY'), 'once', now).job
  const twice = decide({ ...once, status: 'RUNNING' }, says('RETRY'), 'once', now).job

  assert.deepEqual(rowsOf([completed, stuck, once, twice], 'status', 'reason', 'retries'), [
    ['REVIEW_REQUIRED', null, 0],
    ['INTERVENTION_REQUIRED', 'stuck', 0],
    ['PENDING', null, 1],
    ['INTERVENTION_REQUIRED', 'retries', 2],
  ])
  assert.match(once.feedback[0]?.text ?? '', /suggests: what the agent says/)
})

test('[J8] the Supervisor leads to approval, to the Steward, or back to the Worker with its feedback, capped', () => {
  const reviewing = aJob({ status: 'REVIEWING', limits: { max_rounds: 1 } })

  const completed = decide(reviewing, says('COMPLETED'), 'once', now).job
  const stuck = decide(reviewing, says('STUCK'), 'once', now).job
  const once = decide(reviewing, says('RETRY'), 'once', now).job
  const twice = decide({ ...once, status: 'REVIEWING' }, says('RETRY'), 'once', now).job

  assert.deepEqual(rowsOf([completed, stuck, once, twice], 'status', 'reason', 'rounds'), [
    ['APPROVAL_REQUIRED', null, 0],
    ['INTERVENTION_REQUIRED', 'stuck', 0],
    ['PENDING', null, 1],
    ['INTERVENTION_REQUIRED', 'rounds', 2],
  ])
  assert.deepEqual(once.feedback, [{ from: 'supervisor', text: 'what the agent says', at: now.toISOString() }])
})

test('[J9] approval leads to the next phase with fresh counts, after the last to SUCCESS; auto_approve needs no person', () => {
  const phases = [{ name: 'one' }, { name: 'two' }]
  const waiting = aJob({ status: 'APPROVAL_REQUIRED', phases, current_phase: 'one', rounds: 2, head_commit: 'c2' })

  const second = approvePhase(waiting, 'steward', '').job
  const done = approvePhase({ ...second, status: 'APPROVAL_REQUIRED' }, 'steward', '').job
  const auto = decide(aJob({ status: 'REVIEWING', auto_approve: true }), says('COMPLETED'), 'once', now)

  assert.deepEqual([second.status, second.current_phase, second.rounds, second.phase_commit], ['PENDING', 'two', 0, 'c2'])
  assert.equal(done.status, 'SUCCESS')
  assert.deepEqual(
    auto.moves.map(({ move: name, actor, to }) => [name, actor, to]),
    [
      ['supervisor_COMPLETED', 'supervisor', 'APPROVAL_REQUIRED'],
      ['approve_job', 'runtime', 'SUCCESS'],
    ],
  )
})

test('[J10] an answer without a command is asked for once more and then counts as STUCK', () => {
  const invalid: ExchangeResult = { type: 'invalid', error: 'action: is missing' }
  const working = aJob({ status: 'RUNNING' })

  const first = decide(working, invalid, 'once', now)
  const second = decide(working, invalid, 'again', now)

  assert.deepEqual([first.job.status, first.moves], ['RUNNING', []])
  assert.deepEqual([second.job.status, second.job.reason, second.moves[0]?.move], ['INTERVENTION_REQUIRED', 'invalid', 'worker_STUCK'])
  assert.match(second.job.reason_text, /action: is missing/)
})

test('[J11] what may pass is tried again after a wait that doubles; the rest, and too much of it, goes to a person', () => {
  const reviewing = aJob({ status: 'REVIEWING', limits: { max_failures: 2 } })

  const once = decide(reviewing, failure('provider_failed', true), 'once', now).job
  const twice = decide({ ...once, status: 'REVIEWING' }, failure('provider_failed', true), 'once', now).job
  const thrice = decide({ ...twice, status: 'REVIEWING' }, failure('provider_failed', true), 'once', now).job
  const forGood = decide(reviewing, failure('provider_refused', false), 'once', now).job
  const stopped = decide(reviewing, failure('stopped', true), 'once', now).job

  assert.deepEqual([once.status, once.not_before], ['REVIEW_REQUIRED', '2026-01-01T00:00:01.000Z'])
  assert.deepEqual([twice.status, twice.not_before], ['REVIEW_REQUIRED', '2026-01-01T00:00:02.000Z'])
  assert.deepEqual([thrice.status, thrice.reason], ['INTERVENTION_REQUIRED', 'failures'])
  assert.deepEqual([forGood.status, forGood.reason], ['INTERVENTION_REQUIRED', 'error'])
  assert.deepEqual([stopped.status, stopped.failures, stopped.not_before], ['REVIEW_REQUIRED', 0, null])
})

function failure(code: string, transient: boolean): ExchangeResult {
  return { type: 'failed', failure: { code, message: 'no answer', transient } }
}

function says(action: 'COMPLETED' | 'STUCK' | 'RETRY'): ExchangeResult {
  return { type: 'command', command: { action, evidence_files: [], summary_for_supervisor: 'what the agent says' } }
}

function aJob(over: object): Job {
  const at = now.toISOString()
  return Job.parse({
    id: 'demo',
    status: 'PENDING',
    directory: '/jobs/demo',
    workspace: '/jobs/demo/workspace',
    git_source_repo: '/source',
    base: 'HEAD',
    branch: 'job-demo',
    created_at: at,
    updated_at: at,
    ...over,
  })
}
