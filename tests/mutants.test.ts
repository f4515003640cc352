import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import * as z from 'zod'
import { root, textOf } from './sources.ts'

const Mutants = z.array(
  z.object({ rule: z.string(), file: z.string(), find: z.string(), put: z.string(), tests: z.array(z.string()).min(1) }),
)

test('[C7] every mutant still fits the code it breaks, and a test of its rule is there to notice', async () => {
  const script: Record<string, unknown> = await import(join(root, 'scripts/mutants.mjs'))
  const mutants = Mutants.parse(script['mutants']) // a script and no source, so it is parsed like anything from outside

  const stale = mutants.filter(({ rule, file, find, put, tests }) => {
    const title = new RegExp(`\\btest\\(.\\[[^\\]]*\\b${rule.split('-')[0]}\\b`)
    return textOf(file).split(find).length !== 2 || find === put || !tests.some((path) => title.test(textOf(path)))
  })

  assert.deepEqual(
    stale.map(({ rule, file }) => `${rule}: ${file}`),
    [],
  )
  assert.ok(new Set(mutants.map(({ rule }) => rule)).size >= 10)
})
