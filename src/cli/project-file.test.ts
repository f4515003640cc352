import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { rowsOf } from '../domain/test-each.ts'
import { assertNone } from '../sandbox/test-none.ts'
import { testWorkspace } from '../sandbox/test-workspace.ts'
import { loadConfig } from '../config/load.ts'
import { projectFile } from './init.ts'
import { mayProjectSet } from '../config/trust.ts'

test('[C50] switched on, every line of the settings file is accepted, and together they are all a project may set', async (t) => {
  const cwd = await testWorkspace(t, { '.troupe/config.yaml': projectFile(null).replaceAll(/^#(?! \S)/gm, '') })
  const env = { HOME: cwd }
  const defaults = await loadConfig({ env, cwd: join(cwd, 'elsewhere') })
  const settable = defaults.settings.map(({ key }) => key).filter((key) => mayProjectSet(key.split('.')))

  const { settings } = await loadConfig({ env, cwd })

  const set = settings.filter(({ source }) => source.startsWith(join(cwd, '.troupe'))).map(({ key }) => key)
  assert.ok(settable.length >= 5)
  assertNone(settable, (key) => !set.some((name) => name === key || name.startsWith(`${key}.`)))
})

test('[C50] as written, the settings file sets nothing but the model that was chosen', async (t) => {
  const cwd = await testWorkspace(t, { '.troupe/config.yaml': projectFile('local/qwen3-coder') })

  const { settings } = await loadConfig({ env: { HOME: cwd }, cwd })

  const set = settings.filter(({ source }) => source !== 'default')
  assert.deepEqual(rowsOf(set, 'key', 'value'), [['model', 'local/qwen3-coder']])
})
