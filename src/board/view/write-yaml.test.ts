import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { parse } from 'yaml'
import { toYaml } from './write-yaml.ts'

// oxfmt-ignore
const tricky = [
  '', ' ', '~', 'yes', 'null', '1', '1e3', '0x1f', '-', '- a', 'a: b', 'a #b', '#', '*a', '&a', '!t', '|', '>', '%', '@', '`',
  'a\n', '\na', 'a\n\n', 'a\n b\n', 'a \nb', 'a\tb\n', "it's", '"', '\\', '2026-01-22', '2026-01-22T10:00:00Z', '\u0085',
  '\u2028', '\ufeff', 'a\r\nb', '---', '...', '---\na', 'é\nñ', '?', '? a', 'a:', 'key: |', '[a]', '{a}', 'a, b',
]
const words = fc.oneof(fc.constantFrom(...tricky), fc.string(), fc.string({ unit: 'binary' }), fc.lorem({ mode: 'sentences' }))
const { document } = fc.letrec((again) => ({
  leaf: fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true })),
  document: fc.oneof({ depthSize: 'small' }, again('leaf'), fc.array(again('document')), fc.dictionary(words, again('document'))),
}))

test('[B60] whatever a board says is read back from its copy letter by letter', () => {
  fc.assert(
    fc.property(document, (value) => {
      const plain: unknown = JSON.parse(JSON.stringify({ value }))
      assert.deepEqual(parse(toYaml(plain)), plain)
    }),
    { numRuns: 1_000 },
  )
})

test('[B60] a copy reads as a person would write it', () => {
  const written = toYaml({
    id: 'task-1',
    done_when: 'GET /users returns 200',
    created: '2026-01-22T10:00:00.000Z',
    depends_on: [],
    attempted: ['read spec.md', 'asked: nobody'],
    rejection_reason: '1 blocker\n- a.txt:1 nothing',
    history: [{ time: '2026-01-22T10:00:00.000Z', event: 'claimed', about: { tries: 2 } }],
  })

  assert.equal(
    written,
    `id: task-1
done_when: GET /users returns 200
created: 2026-01-22T10:00:00.000Z
depends_on: []
attempted:
  - read spec.md
  - "asked: nobody"
rejection_reason: |-
  1 blocker
  - a.txt:1 nothing
history:
  - time: 2026-01-22T10:00:00.000Z
    event: claimed
    about:
      tries: 2
`,
  )
})
