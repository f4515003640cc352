import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import packageJson from '../../package.json' with { type: 'json' }

const folder = join(import.meta.dirname, '../../docs/acp-registry/troupe')

test('[E12] the description for the registry names this version, and the icon is a square in the colour of the text', async () => {
  const agent = JSON.parse(await readFile(join(folder, 'agent.json'), 'utf8'))
  const icon = await readFile(join(folder, 'icon.svg'), 'utf8')

  assert.match(agent.id, /^[a-z][a-z0-9-]*$/)
  assert.deepEqual(
    [agent.id, agent.version, agent.distribution.npx],
    ['troupe', packageJson.version, { package: `${packageJson.name}@${packageJson.version}`, args: ['acp'] }],
  )
  assert.match(icon, /width="16" height="16" viewBox="0 0 16 16"/)
  const colours = [...icon.matchAll(/(?:fill|stroke|color)="([^"]*)"/g)].map(([, colour]) => colour)
  assert.deepEqual(new Set(colours), new Set(['currentColor', 'none']))
})
