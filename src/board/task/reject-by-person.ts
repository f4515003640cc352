import * as z from 'zod'
import { TaskId, TaskRecord } from '../../domain/board/task.ts'
import { Blocker, Verdict } from '../../domain/board/task-verdict.ts'
import { defineOperation } from '../../domain/operation.ts'
import { Problem } from '../../domain/problem.ts'
import { counted } from '../../domain/text/format.ts'
import { fitting } from '../../domain/text/schema-error.ts'
import { boards } from '../../store/tables.ts'
import { actOn } from '../agent/known-actor.ts'
import { needPerson, type BoardContext } from '../context.ts'
import { needTask } from '../find.ts'
import { refuseMove } from './move.ts'
import { lastBlockers, reject } from './verdict.ts'

const { file, location, defect, fix } = Blocker.shape

/** What a person found at one place. */
const Finding = z.strictObject({
  file,
  location: location.describe('the line, such as `12` or `12-20`'),
  defect: defect.describe('what is wrong'),
  fix: fix.describe('what would be right'),
})

/** It binds as a reviewer's does: the next attempt has to answer for each finding. A review that is going on ends. */
export const rejectTask = defineOperation({
  name: 'board.reject_task',
  summary: 'Reject work under review yourself, with findings at its lines',
  by: ['person'],
  effect: 'change',
  command: 'board reject <task>',
  input: z.strictObject({
    task: TaskId,
    findings: z.array(Finding).min(1).max(100).describe('what is wrong, where, and what would be right'),
    judgement: z.string().max(10_000).default('').describe('what is to be said about the whole'),
    review_commit: z.string().optional().describe('the commit you looked at; refused once another was submitted'),
  }),
  output: TaskRecord,
  example: {
    task: 'task-1',
    findings: [{ file: 'src/users.ts', location: '12', defect: 'An empty page ends the list', fix: 'End it at the last cursor' }],
  },
  tell: ({ id, status }) => `${id} is ${status}`,
  run: (context: BoardContext, { task: id, findings, judgement, review_commit }) => {
    needPerson(context.actor)
    return actOn(context, context.actor, id, async (tx, who, was) => {
      refuseMove(was.item, 'reject', who)
      const commit = was.item.review_commit ?? ''
      if (review_commit !== undefined && review_commit !== commit) {
        throw new Problem('conflict', `${id} was submitted again with ${commit}; look at it before you reject it`)
      }
      const open = (await lastBlockers(tx, was.item)).flatMap((blocker) => blocker.id ?? [])
      const blockers = findings.map((finding) => ({ ...finding, criterion: 'defect', anomaly_logged: false }))
      const concerns = open.length === 0 ? [] : [`${counted(open.length, 'earlier finding')} not looked at again: ${open.join(', ')}`]
      const verdict = fitting(
        Verdict,
        { verdict: 'REJECTED', review_commit: commit, blockers, concerns, judgement },
        'this is not a rejection',
      )
      if (verdict.verdict !== 'REJECTED') throw new Problem('bad_input', 'this is not a rejection')
      const { item: board } = await boards.get(tx, context.board_id)
      await reject(tx, board, was, who, verdict)
      return (await needTask(tx, context.board_id, id)).item
    })
  },
})
