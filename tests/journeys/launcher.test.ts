import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { launcher, runProgram } from '../../src/cli/test-account.ts'
import { testFolder } from '../../src/sandbox/test-folder.ts'
import { root } from '../sources.ts'

test('[C44] the launcher runs from another folder and through links to links', async (t) => {
  const folder = await testFolder(t)
  await symlink(launcher, join(folder, 'first'))
  await symlink('first', join(folder, 'second'))
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))

  const direct = await runProgram(launcher, ['--version'], { cwd: folder })
  const linked = await runProgram(join(folder, 'second'), ['--version'], { cwd: tmpdir() })

  assert.deepEqual([direct.stdout, linked.stdout], [`${version}\n`, `${version}\n`])
})

test('[C44] without node_modules the launcher names the line that installs them', async (t) => {
  const folder = await testFolder(t)
  await cp(join(root, 'bin'), join(folder, 'bin'), { recursive: true })
  await mkdir(join(folder, 'src'))

  const { code, stderr } = await runProgram(join(folder, 'bin/troupe'), ['--version'], { cwd: tmpdir() })

  assert.deepEqual([code, stderr], [42, `Troupe is not installed yet; run: npm ci --prefix ${folder}\n`])
})

test('[C44] a bundle older than a source is not run, nor one whose age nobody can tell because there is no find', async (t) => {
  const folder = await testFolder(t)
  await cp(join(root, 'bin'), join(folder, 'bin'), { recursive: true })
  await mkdir(join(folder, 'node_modules/node'), { recursive: true })
  await symlink(join(root, 'node_modules/node/bin'), join(folder, 'node_modules/node/bin'))
  const files = { 'src/main.ts': 'source', 'dist/main.js': 'bundle', 'package-lock.json': '' }
  for (const [file, says] of Object.entries(files)) {
    await mkdir(join(folder, file, '..'), { recursive: true })
    await writeFile(join(folder, file), `process.stdout.write(${JSON.stringify(says)})`)
  }
  const now = Date.now() / 1000
  const age = (file: string, seconds: number) => utimes(join(folder, file), now - seconds, now - seconds)
  await Promise.all([age('src', 100), age('src/main.ts', 100), age('package-lock.json', 100), age('dist/main.js', 50)])

  const fresh = await runProgram(join(folder, 'bin/troupe'), [], { cwd: tmpdir() })
  const blind = await runProgram(join(folder, 'bin/troupe'), [], { cwd: tmpdir(), env: { PATH: '/nowhere' } })
  await age('src/main.ts', 10)
  const stale = await runProgram(join(folder, 'bin/troupe'), [], { cwd: tmpdir() })

  assert.deepEqual([fresh.stdout, stale.stdout], ['bundle', 'source'])
  assert.deepEqual([blind.code, blind.stdout, blind.stderr], [0, 'source', ''])
})

test('[C47] without the pinned Node the launcher runs on that of the PATH, and refuses one that is too old with one line', async (t) => {
  const folder = await testFolder(t)
  await cp(join(root, 'bin'), join(folder, 'bin'), { recursive: true })
  const onNode = async (version: string) => {
    const says = `if [ "$1" = --version ]; then echo ${version}; else echo "ran $*"; fi`
    await writeFile(join(folder, 'node'), `#!/bin/sh\n${says}\n`, { mode: 0o755 })
    return runProgram(join(folder, 'bin/troupe'), ['roles'], { cwd: folder, env: { PATH: `${folder}:/usr/bin:/bin` } })
  }

  const [older, oldest] = [await onNode('v22.11.0'), await onNode('v8.1.0')]
  const [enough, newer] = [await onNode('v24.0.0'), await onNode('v31.2.0')]

  assert.deepEqual([older.code, older.stderr, oldest.stderr], [42, refusal('v22.11.0'), refusal('v8.1.0')])
  assert.match(enough.stdout, /^ran .*dist\/main\.js roles\n$/)
  assert.match(newer.stdout, /^ran /)
})

test('[C15] a reader that has seen enough ends the command quietly', async (t) => {
  const { stderr } = await runProgram('sh', ['-c', `"${launcher}" completion bash | head -1`], { cwd: await testFolder(t) })

  assert.equal(stderr, '')
})

test('[C45] what is installed already is not installed again, and a changed lock is', async (t) => {
  const folder = await testFolder(t)
  await cp(join(root, 'scripts'), join(folder, 'scripts'), { recursive: true })
  await mkdir(join(folder, 'node_modules/node/bin'), { recursive: true })
  await writeFile(join(folder, 'node_modules/node/bin/node'), '')
  await writeFile(join(folder, 'package-lock.json'), lock('1.0.0'))
  await writeFile(join(folder, 'node_modules/.package-lock.json'), JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.0' } } }))
  const missing = async () => {
    const script = `import('./scripts/install.mjs').then((m) => console.log(m.missingPackages().join()))`
    return (await runProgram(process.execPath, ['-e', script], { cwd: folder })).stdout.trim()
  }

  const before = await missing()
  await writeFile(join(folder, 'package-lock.json'), lock('2.0.0'))
  const changed = await missing()

  assert.deepEqual([before, changed], ['', 'node_modules/a'])
})

test('[C120] packages behind a symbolic link are not installed again, and stay', async (t) => {
  const folder = await testFolder(t)
  await cp(join(root, 'scripts'), join(folder, 'own/scripts'), { recursive: true })
  await writeFile(join(folder, 'own/package-lock.json'), lock('2.0.0'))
  await writeFile(join(folder, 'own/package.json'), '{}')
  await mkdir(join(folder, 'other/node_modules/a'), { recursive: true })
  await symlink('../other/node_modules', join(folder, 'own/node_modules'))

  const { code, stderr } = await runProgram(process.execPath, ['scripts/check.mjs'], { cwd: join(folder, 'own') })

  assert.equal(code, 1)
  assert.match(stderr, /symbolic link/)
  assert.deepEqual(await readdir(join(folder, 'other/node_modules')), ['a'])
})

test('[C45] whoever ends npm start ends what it started, instead of the shell between them', async (t) => {
  const folder = await testFolder(t)
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { start: scripts.start } }))
  await mkdir(join(folder, 'scripts'))
  await writeFile(join(folder, 'scripts/start.mjs'), 'console.log(`at work as ${process.pid}`); setInterval(() => undefined, 1000)')
  const npm = spawn('npm', ['start'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  const pid = await startedAs(npm.stdout)
  t.after(async () => void (isThere(pid) && process.kill(pid, 'SIGKILL')))

  npm.kill('SIGTERM')
  await once(npm, 'exit')

  assert.equal(isThere(pid), false)
})

async function startedAs(output: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface({ input: output })) {
    const pid = /^at work as (\d+)$/.exec(line)?.[1]
    if (pid !== undefined) return Number(pid)
  }
  return assert.fail('npm start ended before it started anything')
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function refusal(version: string): string {
  return `Troupe needs Node 24 or newer, and ${version} is on your PATH; get it from https://nodejs.org\n`
}

/** A lock that wants one package, and one that not every machine can have. */
function lock(version: string): string {
  const packages = { 'node_modules/a': { version }, 'node_modules/b': { version: '1.0.0', optional: true } }
  return JSON.stringify({ packages })
}
