import assert from 'node:assert/strict'
import { posix } from 'node:path'
import { test } from 'node:test'
import { layers } from './layers.ts'
import { importsOf, sourcesIn, type Source } from './sources.ts'

test('[C1] every import in src goes to its own folder or to a layer below', () => {
  const crossings = sourcesIn('src').flatMap(crossingsOf)

  assert.deepEqual(crossings, [])
})

test('[C2] the page sees nothing of src but the domain and the types of the operations', () => {
  const trespasses = sourcesIn('web').flatMap((source) =>
    srcImports(source).filter((path) => !isSharedWithThePage(path) && !isTypesAlone(source, path)),
  )

  assert.deepEqual(trespasses, [])
})

test('[C2] what the page shares brings nothing else with it', () => {
  const shared = sourcesIn('src').filter(({ file }) => isSharedWithThePage(file) && !file.endsWith('.test.ts'))

  const leaks = shared.flatMap((source) => importsOf(source).filter((path) => !isShareable(source.file, path)))

  assert.deepEqual(leaks, [])
})

test('[C2] the page may import the types of the operations, and nothing that would run', () => {
  const texts = ['import type { A }', 'import { a }', 'import { type A }'].map((head) => `${head} from '../src/api/operations.ts'`)

  const allowed = texts.map((text) => isTypesAlone({ file: 'web/a.ts', text }, 'src/api/operations.ts'))

  assert.deepEqual(allowed, [true, false, false])
})

test('[B235] only one module writes a task, so that no state changes but by a move', () => {
  const writers = sourcesIn('src').filter(({ file, text }) => !/\.test\.ts$|\/test-/.test(file) && /\btasks\.(replace|remove)\(/.test(text))

  assert.deepEqual(
    writers.map(({ file }) => file),
    ['src/board/task/move.ts'],
  )
})

test('[C1] an upward, a sideways, a type-only and a dynamic crossing are each caught', () => {
  const planted: Source[] = [
    { file: 'src/store/a.ts', text: `import { x } from '../agent/loop.ts'` },
    { file: 'src/chat/a.ts', text: `import { x } from '../board/claim.ts'` },
    { file: 'src/domain/a.ts', text: `import type { X } from '../store/log.ts'` },
    { file: 'src/tools/a.ts', text: `const x = () => import('../agent/loop.ts')` },
    { file: 'src/roles/a.ts', text: `type X = import('../cli/run.ts').X` },
    { file: 'src/misc/a.ts', text: `export const x = 1` },
    { file: 'src/agent/a.ts', text: `import { x } from '../tools/gate.ts'\nimport { y } from './loop.ts'` },
  ]

  const caught = planted.map((source) => crossingsOf(source).length)

  assert.deepEqual(caught, [1, 1, 1, 1, 1, 1, 0])
})

function crossingsOf(source: Source): string[] {
  const layer = layerOf(source.file)
  if (layer === -1) return [`${source.file} is in no layer; the layers are ${layers.flat().join(', ')}`]
  return srcImports(source)
    .filter((path) => !mayImport(source.file, path))
    .map((path) => `${source.file} imports ${path}`)
}

function mayImport(from: string, to: string): boolean {
  if (folderOf(from) === folderOf(to)) return true
  if (layerOf(from) === 0 && layerOf(to) === 0) return true
  return layerOf(to) > layerOf(from)
}

function isSharedWithThePage(path: string): boolean {
  return path.startsWith('src/domain/')
}

/** The types of the operations are erased before a browser sees them. */
function isTypesAlone({ text }: Source, path: string): boolean {
  return path === 'src/api/operations.ts' && !/import (?!type )[^'"]*['"][^'"]*api\/operations\.ts/.test(text)
}

/** A shared file runs in a browser: zod and other shared files, nothing of Node. */
function isShareable(from: string, path: string): boolean {
  return path === 'zod' || (path.startsWith('.') && isSharedWithThePage(resolved(from, path)))
}

function srcImports(source: Source): string[] {
  return importsOf(source)
    .filter((path) => path.startsWith('.'))
    .map((path) => resolved(source.file, path))
    .filter((path) => path.startsWith('src/'))
}

function resolved(from: string, path: string): string {
  return posix.join(posix.dirname(from), path)
}

function layerOf(file: string): number {
  return layers.findIndex((layer) => layer.includes(folderOf(file)))
}

/** `src/cli/run/run.ts` → cli, `src/main.ts` → main. */
function folderOf(file: string): string {
  return (file.split('/')[1] ?? '').replace(/(\.test)?\.tsx?$/, '')
}
