import assert from 'node:assert/strict'
import { basename, dirname } from 'node:path'
import { test } from 'node:test'
import { functionsOf, sourcesIn, type Source } from './sources.ts'

const FILE_LINES = 250
const FUNCTION_LINES = 50
const FOLDER_FILES = 24
const EXPORTED = /^export (?:async )?(?:function\*?|const|let|class|interface|type|enum) ([A-Za-z_$][\w$]*)/gm
const bags = ['utils', 'util', 'lib', 'common', 'helpers', 'services', 'managers', 'misc']
const sources = sourcesIn('src', 'web', 'tests', 'bench', 'scripts')
const own = sourcesIn('src').filter(({ file }) => !/(?:\.test\.ts$|\/test-)/.test(file))

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

test('[C99] an exported name is defined once in src', () => {
  assert.deepEqual(definedTwice(own), [])
})

test('[C99] a name that two files export is caught', () => {
  const planted = ['src/a.ts', 'src/b/c.ts'].map((file) => ({ file, text: 'export function readIt(): void {}\n' }))

  assert.deepEqual(definedTwice(planted), ['readIt: src/a.ts, src/b/c.ts'])
})

test('[C100] no folder of src holds more than 24 files beside their tests', () => {
  assert.deepEqual(crowded(own), [])
})

test('[C100] a folder with one file too many is caught', () => {
  const planted = Array.from({ length: 25 }, (_, at) => ({ file: `src/many/file-${at}.ts`, text: '' }))

  assert.deepEqual(crowded(planted), ['src/many: 25'])
})

/** Every noun of the command line exports the same one function. */
const shared = ['define']

function definedTwice(files: readonly Source[]): string[] {
  const names = files.flatMap(({ file, text }) =>
    [...text.matchAll(EXPORTED)].map(([, name = '']) => ({ file, name })).filter(({ name }) => !shared.includes(name)),
  )
  return [...Map.groupBy(names, ({ name }) => name)]
    .map(([name, found]) => ({ name, files: [...new Set(found.map(({ file }) => file))] }))
    .flatMap(({ name, files: at }) => (at.length > 1 ? [`${name}: ${at.join(', ')}`] : []))
}

function crowded(files: readonly Source[]): string[] {
  const folders = Map.groupBy(files, ({ file }) => dirname(file))
  return [...folders].flatMap(([folder, { length }]) => (length > FOLDER_FILES ? [`${folder}: ${length}`] : []))
}

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
