import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { runProgram, type Ended } from '../../src/cli/test-account.ts'
import { firstLine } from '../../src/cli/test-serving.ts'
import { assertNone } from '../../src/sandbox/test-none.ts'
import { testPostgresAddress } from '../../src/store/postgres/test-postgres.ts'
import { root } from '../sources.ts'

const MEGABYTE = 1024 * 1024

/** What `npm pack` made, and the same installed as a person would, into an empty prefix with an empty home. */
let folder: string
let tarball: string
let env: Record<string, string>

before(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'troupe-package-')))
  await Promise.all(['home', 'work'].map((name) => mkdir(join(folder, name))))
  const { stdout } = await npm(process.env, 'pack', '--json', '--pack-destination', folder)
  const [packed] = JSON.parse(stdout.slice(stdout.lastIndexOf('\n[') + 1))
  tarball = join(folder, packed.filename)
  const path = [join(folder, 'prefix/bin'), dirname(process.execPath), process.env['PATH']].join(delimiter)
  env = { PATH: path, HOME: join(folder, 'home') }
  // The registry a person uses may be in the settings of their real home.
  const registry = (await npm(process.env, 'config', 'get', 'registry')).stdout.trim()
  await npm({ ...process.env, ...env }, 'install', '--global', '--prefix', join(folder, 'prefix'), '--registry', registry, tarball)
})

after(() => rm(folder, { recursive: true, force: true }))

test('[C46] the package is under 5 MB and brings no install script, no native addon and one dependency', async () => {
  const installed = join(folder, 'prefix/lib/node_modules/troupe')
  const files = await readdir(installed, { recursive: true })
  const manifests = files.filter((file) => file.endsWith('package.json')).map((file) => join(installed, file))
  const scripts = (await Promise.all(manifests.map(async (file) => JSON.parse(await readFile(file, 'utf8')).scripts ?? {}))).flatMap(
    Object.keys,
  )

  assert.ok((await stat(tarball)).size < 5 * MEGABYTE)
  assert.deepEqual(await readdir(join(installed, 'node_modules')), ['@vscode'])
  assertNone(['preinstall', 'install', 'postinstall', 'prepare'], (name) => scripts.includes(name))
  assertNone(files, (file) => /\.node$|binding\.gyp$/.test(file))
})

test('[D9] every page of the package that people read leads only to what is in it', async () => {
  const installed = join(folder, 'prefix/lib/node_modules/troupe')
  const pages = (await readdir(installed, { recursive: true })).filter(
    (file) => file.endsWith('.md') && !/^(node_modules|dist|roles)\//.test(file),
  )
  const dead: string[] = []

  // Those for anyone who works on the sources name files of the clone.
  for (const page of pages.filter((name) => !/^(ARCHITECTURE|AGENTS|CONTRIBUTING)\.md$|^docs\/decisions\//.test(name))) {
    const text = await readFile(join(installed, page), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map(([, link = '']) => link)
    dead.push(...links.filter((link) => !existsSync(join(installed, dirname(page), link))).map((link) => `${page}: ${link}`))
  }

  assert.ok(pages.length > 20)
  assert.deepEqual(dead, [])
})

test('[S36, C46] the package brings the program that loads the filter, for each architecture, and none of the tests', async () => {
  const native = join(folder, 'prefix/lib/node_modules/troupe/native')

  const files = (await readdir(native, { recursive: true })).filter((file) => file.includes('/'))
  const modes = await Promise.all(files.map(async (file) => (await stat(join(native, file))).mode & 0o111))

  assert.deepEqual(files.toSorted(), ['linux-arm64/confine', 'linux-x64/confine'])
  assertNone(modes, (mode) => mode !== 0o111)
})

test('[C48] the lock names no registry', async () => {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'))

  const resolved = Object.values<{ resolved?: string }>(lock.packages).flatMap((entry) => entry.resolved ?? [])

  assert.deepEqual(resolved, [])
})

test('[C46] the installed command runs on the Node of the user, whatever is asked of it', async () => {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))

  const said = await troupe(['--version'])
  const completion = await troupe(['completion', 'bash'])
  const roles = JSON.parse((await troupe(['roles', 'list', '--json'])).stdout)
  const workflows = JSON.parse((await troupe(['workflow', 'list', '--json'])).stdout)

  assert.deepEqual([said.stdout, said.stderr], [`${version}\n`, ''])
  assert.match(completion.stdout, /'workflow'\) words=/)
  assert.equal(roles.roles.length, 10)
  assert.ok(workflows.workflows.length >= 6)
})

test('[C46] the installed command keeps its records in PostgreSQL too', async () => {
  const store = { TROUPE_STORE: await testPostgresAddress() }

  const { stdout } = await troupe(['doctor', '--json'], store)
  const jobs = await troupe(['job', 'list'], store)
  const again = await troupe(['doctor', '--json'], store)

  assert.match(storeFound(stdout), /upgraded on next use$/)
  assert.match(jobs.stdout, /^No jobs yet/)
  assert.doesNotMatch(storeFound(again.stdout), /up to date/)
})

test('[C46] [C60] the installed command plays the demo', async () => {
  const { stdout } = await troupe(['demo', '--json', '--no-keep'])

  const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')
  assert.deepEqual([last.type, last.enforced], ['end', 17])
})

test('[C46] the installed command serves its page', async (t) => {
  const { line } = await firstLine(t, { project: join(folder, 'work'), env }, 'troupe', ['serve', '--port', '0', '--json'])
  const { origin } = new URL(JSON.parse(line).url)

  const html = await (await fetch(origin)).text()
  const script = await fetch(`${origin}${/src="([^"]+)"/.exec(html)?.[1]}`)

  assert.match(html, /<div id="root">/)
  assert.deepEqual([script.status, script.headers.get('content-type')], [200, 'text/javascript; charset=utf-8'])
})

function storeFound(report: string): string {
  return JSON.parse(report).findings.find(({ what }: { what: string }) => what === 'store').found
}

function npm(environment: NodeJS.ProcessEnv, ...args: string[]) {
  return promisify(execFile)('npm', args, { cwd: root, env: environment, maxBuffer: 10 * MEGABYTE })
}

/** Runs the installed command in an empty folder. */
function troupe(args: string[], more: Record<string, string> = {}): Promise<Ended> {
  return runProgram('troupe', args, { cwd: join(folder, 'work'), env: { ...env, ...more } })
}
