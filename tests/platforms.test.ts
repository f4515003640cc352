import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse as parseYaml } from 'yaml'
import * as z from 'zod'
import { assertNone } from '../src/sandbox/test-none.ts'
import { sourcesIn, textOf } from './sources.ts'

const Workflow = z.object({ jobs: z.object({ macos: z.object({ steps: z.array(z.object({ run: z.string().default('') })) }) }) })
const Lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ hasInstallScript: z.boolean().default(false), os: z.array(z.string()).optional(), cpu: z.array(z.string()).optional() }),
  ),
})
const Manifest = z.object({ allowScripts: z.record(z.string(), z.boolean()) })

test('[C66] what the workflow tests on macOS is there and opens no browser, for the one we bring along runs on Linux', () => {
  const { steps } = Workflow.parse(parseYaml(textOf('.github/workflows/test.yml'))).jobs.macos
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

/** A package that names no machine is for every one. */
function isOurs(given: readonly string[] | undefined, ours: readonly string[]): boolean {
  return given?.some((name) => ours.includes(name)) ?? true
}
