import assert from 'node:assert/strict'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { anAccount, launcher, runProgram } from './test-account.ts'

/** Root may read and write everything; in a user namespace of its own it is an ordinary user. */
const asOrdinaryUser = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : ['env']

// oxfmt-ignore
const denied = [
  { path: 'home/token',       mode: 0o000, typed: ['serve', '--port', '0'], code: 'bad_input',    exit: 42 },
  { path: 'home/config.yaml', mode: 0o000, typed: ['config'],               code: 'bad_input',    exit: 42 },
  { path: 'home/troupe.db',   mode: 0o400, typed: ['chat', 'list'],         code: 'store_failed', exit: 11 },
  { path: 'home',             mode: 0o500, typed: ['serve', '--port', '0'], code: 'store_failed', exit: 11 },
  { path: 'project/.troupe/roles', mode: 0o000, typed: ['roles', 'list'],   code: 'bad_input',    exit: 42 },
]

for (const { path, mode, typed, code, exit } of denied) {
  test(`[C113] troupe ${typed[0]} with a ${path} that this account may not use says which it is and what to do`, async (t) => {
    const account = await anAccount(t)
    const [home, place] = [join(account.home, 'home'), join(account.home, path)]
    await mkdir(home, { mode: 0o700 })
    if (path.endsWith('roles')) await mkdir(place, { recursive: true })
    else if (path !== 'home') await writeFile(place, '')
    await chmod(place, mode)

    const env = { ...account.env, TROUPE_HOME: home, OPENSSL_CONF: '/dev/null' } // that of the machine may be root's alone
    const [program, ...args] = [...asOrdinaryUser, launcher, ...typed, '--json']
    const ended = await runProgram(program, args, { cwd: account.project, env })
    await chmod(place, 0o700)

    const { error } = JSON.parse(ended.stdout) as { error: { code: string; message: string } } // as every refusal is printed
    assert.deepEqual([error.code, ended.code], [code, exit], ended.stderr)
    assert.ok(error.message.includes(place) && error.message.includes('chmod'), error.message)
  })
}
