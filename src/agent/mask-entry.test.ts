import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { entries } from '../store/run-tables.ts'
import { testAgent } from './test-agent.ts'

const key = `ghp_${'aB3dE5fG7h'.repeat(4)}`
const own = 'the-value-of-a-key-of-our-own'

test('[A95] what a model says and what tools answer is stored without anything that looks like a key', async (t) => {
  const scene = await testAgent(
    t,
    [
      { text: `I look for ${key} and ${own}.`, calls: [{ tool: 'read_file', input: { path: 'a.txt' } }] },
      { text: `It is ${key}.`, expect: { tool_output: key } },
    ],
    { secrets: [own] },
  )
  await writeFile(join(scene.workspace, 'a.txt'), `key = ${key}\n`)

  const run = await scene.play()

  const stored = JSON.stringify(await entries.items(scene.agent.driver))
  assert.equal(run.status, 'completed')
  assert.ok(!stored.includes(key) && !stored.includes(own))
  assert.match(stored, /key = \[masked\]/)
})

test('[A95] a call keeps its arguments, so that another process carries out exactly what was approved', async (t) => {
  const scene = await testAgent(t, [
    { calls: [{ tool: 'create_file', input: { path: 'sample.txt', content: `${key}\n` } }] },
    { text: 'Done.', expect: { tool_output: 'created' } },
  ])

  await scene.play()

  assert.equal(await readFile(join(scene.workspace, 'sample.txt'), 'utf8'), `${key}\n`)
})
