import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourcesIn, textOf } from './sources.ts'

const rules = textOf('SPEC.md')
  .split('\n')
  .flatMap((line) => /^- \*\*([A-Z]\d+)\*\* \S/.exec(line)?.[1] ?? [])
const cited = new Set(sourcesIn('src', 'tests').flatMap(({ text }) => citedIn(text)))

test('[C5] every rule of SPEC.md has a test that cites it', () => {
  const untested = rules.filter((rule) => !cited.has(rule))

  assert.deepEqual(untested, [])
})

test('[C5] every rule a test cites stands in SPEC.md, once', () => {
  const unknown = [...cited].filter((rule) => !rules.includes(rule))
  const twice = rules.filter((rule, at) => rules.indexOf(rule) !== at)

  assert.deepEqual({ unknown, twice }, { unknown: [], twice: [] })
})

test('[C5] a citation counts only at the head of a title of a test that runs', () => {
  const open = '('
  const text = [
    `test${open}'[X9] a', run)`,
    `test${open}"[X8] [X7] b", run)`,
    `t.test${open}\`[X6, X5] c\`, run)`,
    `test.skip${open}'[X4] d', run)`,
    `// [X3]`,
  ].join('\n')

  assert.deepEqual(citedIn(text), ['X9', 'X8', 'X7', 'X6', 'X5'])
})

function citedIn(text: string): string[] {
  const heads = text.matchAll(/\btest\(\s*['"`]((?:\[[A-Z]\d+(?:, ?[A-Z]\d+)*\] ?)+)/g)
  return [...heads].flatMap(([, head = '']) => head.match(/[A-Z]\d+/g) ?? [])
}
