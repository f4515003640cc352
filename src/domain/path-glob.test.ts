import assert from 'node:assert/strict'
import { matchesGlob } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { fitsGlob, leadsToGlob, mountOfGlob, PathGlob } from './path-glob.ts'

test('[N14] a glob is a path inside the workspace, and anything else is refused', () => {
  const wrong = [
    '',
    ' ',
    '/etc/**',
    '~/x',
    '!docs',
    '../x',
    'a/../b',
    './a',
    'a//b',
    'a/',
    'a/.',
    'a\\b',
    'a\0b',
    'a**',
    'a/**b/c',
    'x'.repeat(400),
  ]
  const right = ['docs/**', 'README.md', '**/*.md', 'src/*.ts', 'app/[id]/page.tsx', '.github/**', '**', 'a b/ü.md', 'a.../b']

  assert.deepEqual(
    wrong.filter((glob) => PathGlob.safeParse(glob).success),
    [],
  )
  assert.deepEqual(
    right.filter((glob) => !PathGlob.safeParse(glob).success),
    [],
  )
})

test('[N12] a glob means what it names and all that is in it, letter by letter', () => {
  const meant = {
    'docs/**': { yes: ['docs/a', 'docs/a/b', 'docs/.x'], no: ['docs2/a', 'src/docs/a', 'Docs/a', 'doc'] },
    docs: { yes: ['docs', 'docs/a/b'], no: ['docs2', 'a/docs'] },
    '*.md': { yes: ['a.md', '.md'], no: ['a/b.md', 'a.mdx'] },
    '**/*.md': { yes: ['a.md', 'x/y/a.md'], no: ['a.ts', 'md'] },
    'a/*/c': { yes: ['a/b/c', 'a/b/c/d'], no: ['a/c', 'a/b/b/c'] },
    'a/[x]': { yes: ['a/[x]'], no: ['a/x'] },
    'a?c': { yes: ['abc'], no: ['ac', 'a/c'] },
  }

  const wrong = Object.entries(meant).flatMap(([glob, { yes, no }]) => [
    ...yes.filter((path) => !fitsGlob(glob, path)).map((path) => `${glob} misses ${path}`),
    ...no.filter((path) => fitsGlob(glob, path)).map((path) => `${glob} takes ${path}`),
  ])

  assert.deepEqual(wrong, [])
})

test('[N12] of plain letters a glob means no less than the one of Node, and a path is led to by every folder above it', () => {
  const name = fc.stringMatching(/^[ab]{1,3}$/)
  const part = fc.oneof(name, fc.constantFrom('*', 'a*', '*b', '**'))
  const [globs, paths] = [fc.array(part, { minLength: 1, maxLength: 4 }), fc.array(name, { minLength: 1, maxLength: 5 })]

  fc.assert(
    fc.property(globs, paths, (pattern, names) => {
      const [glob, path] = [pattern.join('/'), names.join('/')]
      if (matchesGlob(path, glob)) assert.ok(fitsGlob(glob, path), `${glob} ${path}`)
      if (!fitsGlob(glob, path)) return
      for (let at = 1; at < names.length; at++) {
        const above = names.slice(0, at).join('/')
        assert.ok(leadsToGlob(glob, above) || fitsGlob(glob, above), `${glob} ${above}`)
      }
    }),
    { numRuns: 3000 },
  )
})

test('[N12] a long name costs no more time than its length', () => {
  assert.equal(fitsGlob(`${'a*'.repeat(100)}b`, 'a'.repeat(4000)), false)
})

test('[N12] whole folders and files can be mounted, other globs cannot', () => {
  const mounts = ['docs/**', 'README.md', '**', '**/*.md', 'a/*/**', 'a/**/b'].map(mountOfGlob)

  assert.deepEqual(mounts, [{ folder: 'docs' }, { path: 'README.md' }, null, null, null, null])
})
