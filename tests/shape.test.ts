import assert from 'node:assert/strict'
import { basename } from 'node:path'
import { test } from 'node:test'
import { functionsOf, sourcesIn, type Source } from './sources.ts'

const FILE_LINES = 250
const FUNCTION_LINES = 50
const bags = ['utils', 'util', 'lib', 'common', 'helpers', 'services', 'managers', 'misc']
const sources = sourcesIn('src', 'web', 'tests', 'bench', 'scripts')

test('[C3] no file is longer than 250 lines and no function longer than 50', () => {
  const tooLong = sources.flatMap(longParts)

  assert.deepEqual(tooLong, [])
})

test('[C3] a long file and a long function are caught', () => {
  const lines = ['x()\n'.repeat(48), 'x()\n'.repeat(49), 'x()\n'.repeat(251)] as const

  const caught = [lines[2], `function f() {\n${lines[1]}}\n`, `const f = () => {\n${lines[0]}}\n`].map(
    (text) => longParts({ file: 'a.ts', text }).length,
  )

  assert.deepEqual(caught, [1, 1, 0])
})

test('[C4] files are kebab-case, and there are no barrels and no bags', () => {
  const odd = sources
    .map(({ file }) => file)
    .filter((file) => isBarrel(file) || !isKebab(file) || file.split('/').some((part) => bags.includes(part)))

  assert.deepEqual(odd, [])
})

function longParts(source: Source): string[] {
  const { file, text } = source
  const lines = text.replace(/\n$/, '').split('\n').length
  const long = functionsOf(source).filter((found) => found.lines > FUNCTION_LINES)
  return [
    ...(lines > FILE_LINES ? [`${file} has ${lines} lines; at most ${FILE_LINES}`] : []),
    ...long.map((found) => `${file}:${found.line} is a function of ${found.lines} lines; at most ${FUNCTION_LINES}`),
  ]
}

function isBarrel(file: string): boolean {
  return /(^|\/)index\.tsx?$/.test(file)
}

function isKebab(file: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.config)?\.(ts|tsx|mjs)$/.test(basename(file))
}
