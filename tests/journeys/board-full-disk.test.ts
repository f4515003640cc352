import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { anAccount } from '../../src/cli/test-account.ts'
import { rowsOf } from '../../src/domain/test-each.ts'
import { noSmallDisk, onSmallDisk } from './small-disk.ts'

interface Outcome {
  said: { at: string; code: number | string; text: string; status: string; iteration: number | null; moved: boolean; laid_out: boolean }[]
  valid: boolean
  merged: string
}

test(
  '[B67] a disk that fills up at the claim, the commit and the merge is named, loses and merges nothing, and with room the board goes on',
  { skip: noSmallDisk },
  async (t) => {
    const { home } = await anAccount(t)

    const script = join(import.meta.dirname, 'board-small-disk.ts')
    const { said, valid, merged } = (await onSmallDisk(t, 8, script, home)) as Outcome // written by our own script

    assert.deepEqual(rowsOf(said, 'at', 'code', 'status', 'iteration', 'moved', 'laid_out'), [
      ['claim', 11, 'UNCLAIMED', null, false, false],
      ['claim again', 0, 'CLAIMED', 1, false, true],
      ['commit', 'disk_full', 'CLAIMED', 1, false, true],
      ['submit', 0, 'READY_FOR_REVIEW', 1, false, true],
      ['review', 11, 'READY_FOR_REVIEW', 1, false, true],
      ['review again', 0, 'READY_FOR_REVIEW', 1, false, true],
      ['merge', 11, 'APPROVED', 1, false, true],
      ['merge with room for a commit', 11, 'APPROVED', 1, false, true],
      ['merge again', 0, 'MERGED', 1, true, false],
    ])
    for (const { at, code, text } of said)
      if (code !== 0) assert.match(text, /(?:there is no room|the disk is full).* make room and try again/, `${at}: ${text}`)
    assert.deepEqual([valid, merged], [true, 'ann\nbob'])
  },
)
