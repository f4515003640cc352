import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { testFolder, type Cleanup } from '../sandbox/test-folder.ts'
import { settingsOperations, type SettingsContext } from './settings.ts'

const [showSettings, setSetting, unsetSetting] = settingsOperations

test('[C110] a setting is set and taken out in the user’s own file, and everything else in it stays', async (t) => {
  const { context, file } = await withSettings(t, '# mine\n\nmodel: ollama/qwen\n# how far\nlimits:\n  max_turns: 7 # few\n')

  await setSetting.run(context, { key: 'limits.max_turns', value: '50' })
  await setSetting.run(context, { key: 'approvals.delete_file', value: 'deny' })
  await unsetSetting.run(context, { key: 'model' })
  const { settings } = await showSettings.run(context, {})

  const inForce = Object.fromEntries(settings.map(({ key, value }) => [key, value]))
  assert.deepEqual([inForce['limits.max_turns'], inForce['approvals.delete_file'], inForce['model']], [50, 'deny', null])
  const sources = Object.fromEntries(settings.map(({ key, source }) => [key, source]))
  assert.deepEqual([sources['limits.max_turns']?.startsWith(file), sources['model']?.startsWith(file)], [true, false])
  assert.match(await readFile(file, 'utf8'), /^# mine\n[^]*# how far\nlimits:\n  max_turns: 50 # few\n/)
})

test('[C110] a value that the next start would refuse is not written', async (t) => {
  const { context, file } = await withSettings(t, 'port: 4000\n')
  const wrong = [
    { key: 'port', value: 'many' },
    { key: 'colour', value: 'red' },
    { key: 'approvals.delete_fiel', value: 'deny' },
  ]

  for (const change of wrong) await assert.rejects(setSetting.run(context, change), { name: 'Problem' })
  await assert.rejects(unsetSetting.run(context, { key: 'model' }), { code: 'not_found' })

  assert.equal(await readFile(file, 'utf8'), 'port: 4000\n')
})

async function withSettings(t: Cleanup, text: string): Promise<{ context: SettingsContext; file: string }> {
  const home = await testFolder(t)
  const file = join(home, '.config/troupe/config.yaml')
  await mkdir(join(home, '.config/troupe'), { recursive: true })
  await writeFile(file, text)
  return { context: { env: { HOME: home }, cwd: home }, file }
}
