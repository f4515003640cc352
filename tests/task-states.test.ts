import assert from 'node:assert/strict'
import { test } from 'node:test'
import { heldStates, reviewStates, taskFlow } from '../src/domain/board/task-flow.ts'
import { literalsOf, sourcesIn, type Source } from './sources.ts'

const TABLE = 'src/domain/board/task-flow.ts'
/** What a verb does to a task in one state may name that state. */
const mayNameOne = /^(src\/domain\/board|src\/board|web\/board)\//
/** The two words of a verdict are those of two states. */
const verdicts = ['APPROVED', 'REJECTED']
const jobsToo = ['DRAFT']
const states: readonly string[] = taskFlow.states
const sources = sourcesIn('src', 'web').filter(
  ({ file, text }) => file !== TABLE && !/(?:\.test\.tsx?$|\/test-)/.test(file) && states.some((state) => text.includes(state)),
)

test('[C140] only the table beside the moves says which states of a task have something in common', () => {
  assert.deepEqual(sources.flatMap(listedIn), [])
})

test('[C140] no state of a task is spelled outside the folders of the board', () => {
  assert.deepEqual(sources.flatMap(spelledIn), [])
})

test('[C140] a list, a chain of comparisons, a table, a statement and a state in another folder are caught', () => {
  const caught = [
    planted(`const held = ['CLAIMED', 'BLOCKED']`),
    planted(`const held = status === 'CLAIMED' || status === 'BLOCKED'`),
    planted(`const words = { CLAIMED: 'x', BLOCKED: 'y' }`),
    planted("const sql = `status in ('CLAIMED', 'BLOCKED')`"),
    planted(`const verdict = z.enum(['APPROVED', 'REJECTED'])`),
    planted(`if (status === 'CLAIMED') release()`),
  ].map((source) => listedIn(source).length)

  assert.deepEqual(caught, [1, 1, 1, 1, 0, 0])
  assert.deepEqual(spelledIn(planted(`if (task.status === 'CLAIMED') say()`, 'src/cli/x.ts')), ['src/cli/x.ts spells CLAIMED'])
})

test('[X14] a state that gets or loses a lease comes with a migration: stores out there have their indexes already', () => {
  const why = 'add a migration that makes tasks_held, tasks_lease and their like again, then change these lists'
  assert.deepEqual([heldStates, reviewStates], [['CLAIMED', 'REJECTED'], ['READY_FOR_REVIEW']], why)
})

function planted(text: string, file = 'src/board/x.ts'): Source {
  return { file, text }
}

function listedIn(source: Source): string[] {
  const groups = literalsOf(source).map((group) => distinctStates(group))
  return groups
    .filter((named) => named.length > 1 && !named.every((state) => verdicts.includes(state)))
    .map((named) => `${source.file} lists ${named.join(', ')}; ${TABLE} says what they have in common`)
}

function spelledIn(source: Source): string[] {
  if (mayNameOne.test(source.file)) return []
  const elsewhere = [...verdicts, ...jobsToo]
  const named = distinctStates(literalsOf(source).flat()).filter((state) => !elsewhere.includes(state))
  return named.map((state) => `${source.file} spells ${state}`)
}

/** A literal is one word, or a statement that quotes some. */
function distinctStates(literals: readonly string[]): string[] {
  const words = literals.flatMap((text) => [text, ...[...text.matchAll(/'([A-Z_]+)'/g)].map(([, word = '']) => word)])
  return [...new Set(words.filter((word) => states.includes(word)))]
}
