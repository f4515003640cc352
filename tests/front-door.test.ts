import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { root, textOf } from './sources.ts'

test('[D7] the page of numbers holds every bench with machine and versions, and a reason for every budget that is missed', () => {
  const page = textOf('docs/benchmarks.md')
  const missed = rowsOf(page).flatMap(([what = '', ...cells]) => (cells.at(-1) === 'MISSED' ? [what] : []))
  const benches = readdirSync(join(root, 'bench')).flatMap((file) => /^(?!run\.)(.+)\.ts$/.exec(file)?.[1] ?? [])

  const unexplained = missed.filter((what) => !page.includes(`- **${what}**: `))
  const absent = benches.filter((name) => !page.includes(`\n\`npm run bench ${name}\` (`))

  assert.deepEqual({ unexplained, absent }, { unexplained: [], absent: [] })
  assert.doesNotMatch(page, /not explained yet|nothing is known but/)
  assert.match(page, /^\d{4}-\d\d-\d\d: \d+ cores .*; Troupe \S+, Node v\S+, SQLite \S+, git version \S+\. Took/m)
})

test('[D8] every cell of the comparison says where it can be looked up, or that nothing was found', () => {
  const table = textOf('docs/comparison.md')
  const [headings = [], , ...tools] = rowsOf(table)

  const unfounded = tools.flatMap(([tool = '', ...cells]) =>
    cells.flatMap((cell, at) => (/\]\(\S+\)|–|^it is one$|^\*\*no\*\*/.test(cell) ? [] : [`${tool}, ${headings[at + 1]}: ${cell}`])),
  )

  assert.ok(tools.length > 5)
  assert.deepEqual(unfounded, [])
})

test('[D8] README begins with what it is, the command that starts it, a demo and a picture, and shows each way by an example and a picture', () => {
  const page = textOf('README.md')
  const [top = '', ...sections] = page.split(/^##+ /m)
  const commands = [...top.matchAll(/^\$ (npm start|bin\/troupe demo)\b/gm)].map(([, command]) => command)
  const ways = sections.filter((section) => /^(Chat|The board|Jobs|Workflows):/.test(section))

  assert.match(top, /^# Troupe\n\n\*\*[^*\n]+\.\*\* /)
  assert.deepEqual(commands, ['npm start', 'bin/troupe demo'])
  assert.match(top, /\n!\[[^\]]+\]\(docs\/images\/\S+\.png\)\n/)
  assert.match(page, /^\$ npm test /m)
  assert.deepEqual(
    ways.map((way) => [/```console\n\$ /.test(way), /\n!\[[^\]]+\]\(docs\/images\/\S+\.png\)/.test(way), /\[Tutorial\]\(docs\//.test(way)]),
    Array.from({ length: 4 }, () => [true, true, true]),
  )
})

/** The rows of every table of a page, cell by cell. */
function rowsOf(text: string): string[][] {
  return [...text.matchAll(/^\| ?(.*) \|$/gm)].map(([, row = '']) => row.split(' | ').map((cell) => cell.trim()))
}
