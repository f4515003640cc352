import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Verdict } from './task-verdict.ts'

test('[B23] taste is no reason to reject under whatever name it comes, and a wrong output is one although it speaks of form', () => {
  const refused = [
    rejects('defect', 'The naming of these variables could be nicer'),
    rejects('invariant', 'I would prefer a more elegant loop here'),
    rejects('invariant', 'The indentation is not what we use elsewhere'),
  ]
  const accepted = [
    rejects('defect', 'Dates are printed in the wrong format: 13/2026'),
    rejects('defect', 'The saved preference of a user is lost on restart'),
    rejects('spec', 'The formatting of the table is not the one the spec shows'),
  ]

  assert.deepEqual({ refused, accepted }, { refused: [false, false, false], accepted: [true, true, true] })
})

/** Whether a rejection that rests on this alone would count. */
function rejects(criterion: string, defect: string): boolean {
  const place = { file: 'src/users.ts', location: '12', spec_ref: 'spec.md', fix: 'Change it accordingly', anomaly_logged: false }
  const verdict = { verdict: 'REJECTED', review_commit: 'a'.repeat(40), blockers: [{ ...place, criterion, defect }] }
  return Verdict.safeParse(verdict).success
}
