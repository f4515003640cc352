import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { architecture } from './diagrams.ts'
import { layers } from './layers.ts'
import { root, textOf } from './sources.ts'

test('[C6] the state diagrams of ARCHITECTURE.md are those of the tables; npm run diagrams draws them anew', async () => {
  const { is, shouldBe } = await architecture()

  assert.equal(is, shouldBe)
})

test('[D6] the map of ARCHITECTURE.md shows the layers that the imports are held to', async () => {
  const { is } = await architecture()
  const map = is.slice(is.indexOf('## Layers'), is.indexOf('`roles/` holds'))

  const drawn = [...map.matchAll(/^\| (`[^|]+`) \|/gm)].map(([, line = '']) => [...line.matchAll(/`(\w+)`/g)].map(([, name]) => name))

  assert.deepEqual(drawn, layers)
})

test('[D6] every function that ARCHITECTURE.md names is exported by the file it links to', async () => {
  const { is } = await architecture()
  const links = [...is.matchAll(/\[`(\w+)`\]\((src\/[\w/-]+\.ts)\)/g)]

  const gone = links.filter(([, name = '', file = '']) => !exportsOf(file).includes(name)).map(([link]) => link)

  assert.deepEqual({ gone, links: links.length > 40 }, { gone: [], links: true })
})

function exportsOf(file: string): string[] {
  if (!existsSync(join(root, file))) return []
  const declared = textOf(file).matchAll(/^export (?:async )?(?:function|const|interface|type) (\w+)/gm)
  return [...declared].map(([, name = '']) => name)
}
