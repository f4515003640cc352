import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { apparmorFix, apparmorProfile, isRestricted } from './apparmor.ts'
import { findProgram } from './process/program.ts'
import { testFolder } from './test-folder.ts'

const program = '/home/someone/a path with ’/native/linux-x64/confine'

test('[S44] the profile allows namespaces to one program, named in full, and to nothing else', () => {
  const lines = apparmorProfile(program)?.split('\n') ?? []

  assert.ok(lines.includes(`profile troupe-sandbox "${program}" flags=(unconfined) {`))
  assert.deepEqual(
    lines.filter((line) => line.startsWith('  ')),
    ['  userns,', '  include if exists <local/troupe-sandbox>'],
  )
})

test('[S44] the offered line writes exactly the profile, and names the switch for the whole machine only after it', async (t) => {
  const folder = await testFolder(t)
  const [install = '', other = ''] = apparmorFix(program).split('   # ')
  const written = install.replace(/sudo tee \S+ && .*$/, `cat > "${join(folder, 'profile')}"`)

  execFileSync('sh', ['-c', written])

  assert.equal(execFileSync('cat', [join(folder, 'profile')], { encoding: 'utf8' }), `${apparmorProfile(program)}\n`)
  assert.match(install, /apparmor_parser -r \/etc\/apparmor\.d\/troupe-sandbox$/)
  assert.match(other, /sysctl/)
})

test('[S44] a path that would name other programs too gets no profile', () => {
  for (const path of ['/home/*/confine', '/a/{b,c}/confine', '/a/@{HOME}/confine', '/a/"/confine', 'confine', '/a\n/b'])
    assert.equal(apparmorProfile(path), null, path)
  assert.match(apparmorFix('/home/*/confine'), /^sudo sysctl /)
})

test('[S44] a machine is restricted where its switch is on, not where it merely has one', async (t) => {
  const file = join(await testFolder(t), 'switch')
  const found = ['1\n', '0\n', ''].map((text) => {
    writeFileSync(file, text)
    return isRestricted(file)
  })

  assert.deepEqual(found, [true, false, false])
})

const parser = findProgram('apparmor_parser')
const knowsNamespaces = parser !== null && /version [4-9]/.test(spawnSync(parser, ['--version'], { encoding: 'utf8' }).stdout)

test('[S44] AppArmor itself takes the profile', { skip: !knowsNamespaces && 'needs apparmor_parser 4' }, async (t) => {
  const file = join(await testFolder(t), 'profile')
  writeFileSync(file, `${apparmorProfile('/opt/troupe/native/linux-x64/confine')}\n`)

  assert.doesNotThrow(() => execFileSync(parser ?? '', ['--skip-kernel-load', '--skip-cache', file]))
})
