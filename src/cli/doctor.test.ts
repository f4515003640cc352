import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { each } from '../domain/test-each.ts'
import { findProgram } from '../sandbox/process/program.ts'
import { listenHere } from '../sandbox/test-surroundings.ts'
import { openStore } from '../store/open.ts'
import { examine } from '../api/doctor/doctor.ts'
import { lookAtGit, lookAtNode, lookAtSandbox } from '../api/doctor/machine.ts'
import type { DoctorCheck } from '../api/doctor/check.ts'
import { anAccount, launcher, type Account } from './test-account.ts'

test('[C42] the doctor looks at everything, changes nothing, and names the line that mends what is missing', async (t) => {
  const account = await anAccount(t)

  const { code, stdout } = await account.troupe('doctor', '--json')

  const { ok, findings } = JSON.parse(stdout)
  const looks = ['troupe', 'node', 'git', 'sandbox', 'search', 'configuration', 'roles', 'store', 'keys', 'model', 'port', 'files']
  assert.deepEqual(each(findings, 'what'), looks)
  assert.equal(code, ok ? 0 : 1)
  assert.match(found(findings, 'model'), /rehearsal/)
  assert.match(found(findings, 'store'), /created on first use/)
  assert.deepEqual(
    (await readdir(account.home)).filter((name) => name !== '.cache'),
    ['project'],
  )
})

test('[C42] an old Node, a missing git and an old git are named with the line that brings a newer one', async (t) => {
  const account = await anAccount(t)
  const bin = join(account.home, 'bin')
  await mkdir(bin)
  const env = { ...account.env, PATH: bin }

  const node = await lookAtNode('v22.11.0')
  const without = await lookAtGit(env, account.project, null)
  await writeFile(join(bin, 'git'), '#!/bin/sh\necho git version 2.30.1\n', { mode: 0o755 })
  await writeFile(join(bin, 'apt-get'), '')
  const old = await lookAtGit(env, account.project, join(bin, 'git'))

  assert.match(mended([{ what: 'node', ...node }], 'node'), /v22\.11\.0 is too old → install Node 24 or newer/)
  assert.equal(mended([{ what: 'git', ...without }], 'git'), 'not installed → install git with the package manager of this machine')
  assert.match(mended([{ what: 'git', ...old }], 'git'), /2\.30\.1 is too old.* → sudo apt-get install -y git/)
})

test('[C42] a machine without a sandbox and an install without its search program fail, each with its fix', async (t) => {
  const account = await anAccount(t, { npm_config_arch: 'abacus' })

  const sandbox = await lookAtSandbox({ kind: 'none', reason: 'bubblewrap: not installed', fix: 'install it' })
  const { code, stdout } = await account.troupe('doctor', '--json')

  const { findings } = JSON.parse(stdout)
  assert.equal(code, 1)
  assert.equal(mended([{ what: 'sandbox', ...sandbox }], 'sandbox'), 'none: bubblewrap: not installed → install it')
  assert.match(mended(findings, 'search'), /abacus.* → install it again/)
})

test('[C42] a broken configuration does not hide the rest of the machine', async (t) => {
  const account = await anAccount(t)
  await account.write('.config/troupe/config.yaml', 'port: yes\n')

  const { code, stdout } = await account.troupe('doctor')

  assert.equal(code, 1)
  assert.match(stdout, /✘ configuration +.*config\.yaml:1: port is "yes"[^\n]*\n +→ fix that line/)
  assert.match(stdout, /git/)
})

test('[C42] a bad role file and a role that is not trusted yet are named', async (t) => {
  const account = await anAccount(t)

  await account.write('project/.troupe/roles/mine.md', roleWith('permission: []'))
  const refused = await examine(account.env, account.project)
  await account.write('project/.troupe/roles/mine.md', roleWith('permissions: [write_files]'))
  const untrusted = await examine(account.env, account.project)

  assert.match(mended(refused, 'roles'), /mine\.md:5: permission.* → fix that file role\.check/)
  assert.match(mended(untrusted, 'roles'), /only reads.* → role\.trust .*mine\.md$/)
})

test('[C42] a store that is damaged, newer or away is named, and an older one is not touched', async (t) => {
  const account = await anAccount(t)
  const file = await account.write('.local/share/troupe/troupe.db', 'no database at all, but long enough to be taken for one')
  await chmod(file, 0o600)
  const newer = join(account.home, 'newer.db')
  const driver = await openStore(`sqlite:${newer}`)
  await driver.query('insert into migrations (number, name, at) values (99, $1, $2)', ['from_tomorrow', ''])
  await driver.close()
  const at = (TROUPE_STORE: string) => examine({ ...account.env, TROUPE_STORE }, account.project)

  const [damaged, tomorrow, away] = [
    await examine(account.env, account.project),
    await at(`sqlite:${newer}`),
    await at('postgres://me:secret@127.0.0.1:1/x'),
  ]

  assert.match(
    mended(damaged, 'store'),
    /is not a SQLite database.* → mv .*troupe\.db\.damaged, then import your last export system\.import FILE$/,
  )
  assert.match(mended(tomorrow, 'store'), /newer Troupe.* → update Troupe/)
  assert.match(mended(away, 'store'), /cannot be reached.* → start that database/)
  assert.ok(!JSON.stringify(away).includes('secret'))
})

test('[C42] keys that are set are named, and a missing one with the variable to set', async (t) => {
  const account = await anAccount(t, { GEMINI_API_KEY: 'key' })
  await account.write('.config/troupe/config.yaml', 'model: openai/gpt-5\n')

  const model = await examine(account.env, account.project)
  await account.write('.config/troupe/config.yaml', 'providers:\n  ours: { base_url: "http://127.0.0.1:1/v1", api_key_env: OUR_KEY }\n')
  const provider = await examine(account.env, account.project)

  assert.equal(found(model, 'keys'), 'set: GEMINI_API_KEY')
  assert.match(mended(model, 'model'), /openai needs a key.* → export OPENAI_API_KEY=…/)
  assert.equal(mended(provider, 'keys'), 'OUR_KEY is not set → export OUR_KEY=…')
  assert.match(found(provider, 'model'), /^google\//)
})

test('[C42] a taken port is told apart from one where Troupe serves, and an older Troupe there is named', async (t) => {
  const account = await anAccount(t)
  const says = { version: '' }
  const answer = () => (says.version === '' ? 'hello' : JSON.stringify({ ok: true, version: says.version }))
  const port = await listenHere(
    t,
    createServer((_request, response) => response.end(answer())),
  )
  const ask = async (version: string) => {
    says.version = version
    return examine({ ...account.env, TROUPE_PORT: String(port) }, account.project)
  }

  const [other, older, same] = [await ask(''), await ask('0.0.1'), await ask(found(await ask(''), 'troupe'))]

  assert.match(mended(other, 'port'), /is taken.* → export TROUPE_PORT=…/)
  assert.match(mended(older, 'port'), /Troupe 0\.0\.1 serves.* → stop it and start it again/)
  assert.match(found(same, 'port'), /is where Troupe .* serves$/)
})

test('[C42] files that others may read or write, and a home that cannot be made, are named', async (t) => {
  const account = await anAccount(t)

  await chmod(await account.write('.config/troupe/config.yaml', ''), 0o666)
  const writable = await examine(account.env, account.project)
  await chmod(await account.write('.local/share/troupe/token', 'x'), 0o644)
  const readable = await examine(account.env, account.project)
  const belowAFile = join(await account.write('file', ''), 'home')
  const nowhere = await examine({ ...account.env, TROUPE_HOME: belowAFile }, account.project)

  assert.match(mended(writable, 'files'), /others may write .* → chmod go-w .*config\.yaml$/)
  assert.match(mended(readable, 'files'), /others may read .* → chmod 600 .*token$/)
  assert.match(mended(nowhere, 'configuration'), /is not a folder; export TROUPE_HOME=…/)
})

test('[C42] a store elsewhere, a home and a role that others may reach are named too', async (t) => {
  const account = await anAccount(t)
  const store = await account.write('elsewhere.db', '')
  const role = await account.write('ours/roles/mine.md', roleWith('permissions: [read_files]'))
  const home = join(account.home, 'ours')
  const files = async () =>
    mended(await examine({ ...account.env, TROUPE_HOME: home, TROUPE_STORE: `sqlite:${store}` }, account.project), 'files')

  await chmod(store, 0o640)
  const readable = await files()
  await chmod(store, 0o600)
  await Promise.all([chmod(home, 0o777), chmod(role, 0o664)])
  const writable = await files()

  assert.equal(readable, `others may read ${store} → chmod 600 ${store}`)
  assert.equal(writable, `others may write ${home}, ${role} → chmod go-w ${home} ${role}`)
})

test('[C42] a home that may not be written is named, with how to take another', async (t) => {
  const account = await anAccount(t)
  const locked = join(account.home, 'locked')
  await mkdir(locked, { mode: 0o555 })

  const { code, findings } = await doctorUnder(account, asOrdinaryUser, { TROUPE_HOME: join(locked, 'troupe') })

  assert.equal(code, 1)
  assert.equal(mended(findings, 'files'), `${locked} cannot be written → export TROUPE_HOME=… to a folder you own`)
})

test('[C42] a machine without bubblewrap has a sandbox, and nothing to install for it', async (t) => {
  const account = await anAccount(t)
  const installed = findProgram('bwrap')
  const hide = installed === null ? [] : ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', HIDE_AND_GO_ON, installed]

  const { findings } = await doctorUnder(account, hide)

  assert.partialDeepStrictEqual(findingOf(findings, 'sandbox'), { state: 'good', found: 'namespaces' })
})

test('[C42] a store that another process keeps locked is named, with how to find that process', async (t) => {
  const account = await anAccount(t)
  const file = join(account.home, 'troupe.db')
  await (await openStore(`sqlite:${file}`)).close()
  const holder = new DatabaseSync(file)
  t.after(() => holder.close())
  holder.exec('pragma locking_mode = exclusive; begin exclusive')

  const { code, findings } = await doctorUnder(account, [], { TROUPE_STORE: `sqlite:${file}` })

  assert.equal(code, 1)
  assert.match(mended(findings, 'store'), /stayed locked by another process → end the process that holds it: fuser .*troupe\.db$/)
})

/** Lays nothing over a program, in a view of the machine that only what follows has. */
const HIDE_AND_GO_ON = 'mount --bind /dev/null "$0" && exec "$@"'

/** Root may write everywhere; mapped to somebody else it is an ordinary user. */
const asOrdinaryUser = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : []

/** What the doctor says in a command of its own, started by another if need be. */
async function doctorUnder(account: Account, starter: string[], more: Record<string, string> = {}) {
  const [program, ...args] = [...starter, launcher, 'doctor', '--json']
  const child = spawn(program, args, { cwd: account.project, env: { ...account.env, ...more } })
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  assert.ok(stdout.startsWith('{'), stderr)
  return { code: Number(code), findings: JSON.parse(stdout).findings as DoctorCheck[] } // its own words
}

function roleWith(line: string): string {
  return `---\nname: Mine\ndescription: Mine.\nllm_model: default\n${line}\n---\nDo it.\n`
}

function found(findings: DoctorCheck[], what: string): string {
  return findingOf(findings, what).found
}

/** What was found wrong, and what mends it. */
function mended(findings: DoctorCheck[], what: string): string {
  const finding = findingOf(findings, what)
  if (finding.state === 'good') return assert.fail(`${what} is good: ${finding.found}`)
  const steps = (finding.next ?? []).flatMap(({ operation, input = {} }) => [operation, ...Object.values(input)])
  return `${finding.found} → ${[finding.fix ?? [], ...steps].flat().join(' ')}`
}

function findingOf(findings: DoctorCheck[], what: string): DoctorCheck {
  return findings.find((finding) => finding.what === what) ?? assert.fail(`nothing was said of ${what}`)
}
