import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testFolder, type Cleanup } from '../sandbox/test-folder.ts'
import { checkpointsOf } from './records.ts'
import { planRestore, restore } from './restore.ts'
import { disturb, pictureOf, seeded } from './test-random-files.ts'
import { testCheckpoints } from './test-settings.ts'
import { beginCall, keptWorkspace } from './workspace.ts'

/** `TROUPE_SEQUENCES=1000` plays as many; `TROUPE_SEED` plays one again. */
const sequences = Number(process.env['TROUPE_SEQUENCES'] ?? 60)
const first = Number(process.env['TROUPE_SEED'] ?? Math.floor(Math.random() * 1_000_000))

test(`[U1] going back is exact to the byte in random sequences (seeds from ${first})`, async (t) => {
  for (let seed = first; seed < first + (process.env['TROUPE_SEED'] ? 1 : sequences); seed++) await playSequence(t, seed)
})

/** Turns that change files at random, a person who changes others between them, and going back to any of them in any order. */
async function playSequence(t: Cleanup, seed: number): Promise<void> {
  const random = seeded(seed)
  const root = await testFolder(t)
  const workspace = keptWorkspace(await testCheckpoints(t), root)
  const pictures = new Map<number, Record<string, string>>()
  for (let count = Math.floor(random() * 12); count > 0; count--) disturb(root, random)

  for (let turn = 0; turn < 6; turn++) {
    const before = pictureOf(root)
    if (turn > 1 && random() < 0.4 && pictures.size > 0) {
      const numbers = [...pictures.keys()]
      const to = numbers[Math.floor(random() * numbers.length)] ?? 0
      const plan = planRestore(workspace, 'thread', to)
      assert.deepEqual([plan.conflicts, plan.missing], [[], []], `seed ${seed}`)
      const { number, left } = await restore(workspace, plan, { call: callOf(turn), to, now: new Date(), told: async () => undefined })
      assert.deepEqual(left, [], `seed ${seed}`)
      assert.deepEqual(pictureOf(root), pictures.get(to), `seed ${seed}, going back to ${to}`)
      pictures.set(number, before)
      continue
    }
    const begun = await beginCall(workspace, callOf(turn), 'workspace', new Date())
    for (let count = 1 + Math.floor(random() * 8); count > 0; count--) disturb(root, random)
    const { changes } = await begun.end()
    const number = checkpointsOf(workspace.file, 'thread').at(-1)?.number
    if (changes.length > 0 && number !== undefined) pictures.set(number, before)
    else assert.deepEqual(pictureOf(root), before, `seed ${seed}`)
  }
}

function callOf(turn: number) {
  return { thread_id: 'thread', run_id: `run-${turn}`, call_id: `call-${turn}` }
}
