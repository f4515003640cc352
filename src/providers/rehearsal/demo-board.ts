import type { Piece } from './board.ts'

/** Words of the demo's spec: no spec of a person's own is taken for it. */
const MARK = 'The board of this demo builds what is written here.'

const SOURCE = 'src/format-price.js'
const TESTS = 'src/format-price.test.js'

const unfinished = `/** A price in cents as a person reads it. */
export function formatPrice(cents) {
  return \`$\${cents / 100}\`
}
`

const finished = `/** A price in cents as a person reads it. */
export function formatPrice(cents) {
  return (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })
}
`

const tests = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatPrice } from './format-price.js'

test('shows two digits', () => {
  assert.equal(formatPrice(1250), '$12.50')
})

test('puts a comma between thousands', () => {
  assert.equal(formatPrice(129900), '$1,299.00')
})
`

const formatPrice: Piece = {
  id: 'format-price',
  plan: {
    description: 'Add formatPrice, with its tests',
    kind: 'code',
    done_when: "formatPrice(1250) returns '$12.50' and formatPrice(129900) returns '$1,299.00'",
    scope: 'IN: the function and its tests. OUT: parsing',
    depends_on: [],
  },
  first: [
    { tool: 'create_file', input: { path: SOURCE, content: unfinished } },
    { tool: 'create_file', input: { path: TESTS, content: tests } },
  ],
  fix: [{ tool: 'update_file', input: { path: SOURCE, old_text: unfinished, new_text: finished } }],
  proof: { path: SOURCE, words: 'toLocaleString', command: 'node --test' },
  blocker: { defect: 'formatPrice(1250) returns $12.5 instead of $12.50.', fix: 'Show two digits and a comma between thousands.' },
}

const readme: Piece = {
  id: 'readme',
  plan: {
    description: 'Name formatPrice in README.md',
    kind: 'doc',
    done_when: 'README.md names formatPrice',
    scope: 'IN: README.md. OUT: code',
    depends_on: ['format-price'],
  },
  first: [
    {
      tool: 'update_file',
      input: {
        path: 'README.md',
        old_text: 'Run the tests with',
        new_text: '`formatPrice(1250)` gives it back as `$12.50`.\n\nRun the tests with',
      },
    },
  ],
  fix: [],
  proof: { path: 'README.md', words: 'formatPrice', command: null },
  blocker: { defect: 'README.md does not name formatPrice.', fix: 'Name formatPrice beside parsePrice.' },
}

const changelog: Piece = {
  id: 'changelog',
  plan: {
    description: 'Say in CHANGELOG.md that formatPrice is new',
    kind: 'doc',
    done_when: 'CHANGELOG.md names formatPrice',
    scope: 'IN: CHANGELOG.md. OUT: code',
    depends_on: [],
  },
  first: [{ tool: 'create_file', input: { path: 'CHANGELOG.md', content: '# Changes\n\n- New: `formatPrice`.\n' } }],
  fix: [],
  proof: { path: 'CHANGELOG.md', words: 'formatPrice', command: null },
  blocker: { defect: 'CHANGELOG.md does not name formatPrice.', fix: 'Add a line that names formatPrice.' },
}

/** The tasks of the demo's own spec; null for any other. */
export function demoPieces(system: string): readonly Piece[] | null {
  return system.includes(MARK) ? [formatPrice, readme, changelog] : null
}
