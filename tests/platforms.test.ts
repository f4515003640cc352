import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { parse as parseYaml } from 'yaml'
import * as z from 'zod'
import { testFolder } from '../src/sandbox/test-folder.ts'
import { assertNone } from '../src/sandbox/test-none.ts'
import { root, sourcesIn, textOf } from './sources.ts'

const Workflow = z.object({
  jobs: z.object({
    linux: z.object({
      strategy: z.object({ matrix: z.object({ include: z.array(z.object({ node: z.number(), sandbox: z.string() })) }) }),
    }),
    macos: z.object({ steps: z.array(z.object({ run: z.string().default('') })) }),
  }),
})
const workflow = () => Workflow.parse(parseYaml(textOf('.github/workflows/test.yml')))
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ hasInstallScript: z.boolean().default(false), os: z.array(z.string()).optional(), cpu: z.array(z.string()).optional() }),
  ),
})
const Manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()) })

test('[C66] what the workflow tests on macOS is there and opens no browser, for the one we bring along runs on Linux', () => {
  const { steps } = workflow().jobs.macos
  const names = steps.flatMap(({ run }) => /^npm test -- (.+)$/m.exec(run)?.[1]?.split(' ') ?? [])
  const files = sourcesIn('src', 'tests').map(({ file }) => file)

  const tested = names.map((name) => files.filter((file) => file.endsWith(`/${name}.test.ts`)))

  assert.ok(names.length > 0)
  assertNone(tested, (found) => found.length === 0 || found.some((file) => file.startsWith('tests/browser/')))
})

test('[C66] every package whose script must run on Linux or macOS, on x64 or arm64, is allowed to, for npm leaves out all others without a word', () => {
  const { packages } = Lock.parse(JSON.parse(textOf('package-lock.json')))
  const { allowScripts } = Manifest.parse(JSON.parse(textOf('package.json')))

  const unsaid = Object.entries(packages)
    .filter(([, { hasInstallScript, os, cpu }]) => hasInstallScript && isOurs(os, ['linux', 'darwin']) && isOurs(cpu, ['x64', 'arm64']))
    .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length))
    .filter((name) => !(name in allowScripts))

  assert.deepEqual(unsaid, [])
})

test('[C78] npm test installs nothing on the system', async (t) => {
  const folder = await testFolder(t)
  const called = join(folder, 'called')
  for (const name of ['apt-get', 'sudo', 'dnf', 'brew']) {
    await writeFile(join(folder, name), `#!/bin/sh\necho "$0 $*" >> '${called}'\n`, { mode: 0o755 })
  }

  const args = [join(root, 'scripts/test.mjs'), 'no-such-test']
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` }
  const ended = await promisify(execFile)(process.execPath, args, { env }).catch((error: { code: number }) => error)

  assert.equal('code' in ended && ended.code, 1)
  assert.equal(existsSync(called), false)
})

test('[C78] the workflow tests the oldest Node the README names and newer ones, with either kind of sandbox', () => {
  const { include } = workflow().jobs.linux.strategy.matrix
  const oldest = Number(/Node (\d+) or newer/.exec(textOf('README.md'))?.[1])

  assert.equal(Math.min(...include.map(({ node }) => node)), oldest)
  assert.ok(include.some(({ node }) => node >= 24))
  assert.deepEqual([...new Set(include.map(({ sandbox }) => sandbox))].toSorted(), ['bubblewrap', 'namespaces'])
})

/** A package that names no machine is for every one. */
function isOurs(given: readonly string[] | undefined, ours: readonly string[]): boolean {
  return given?.some((name) => ours.includes(name)) ?? true
}
