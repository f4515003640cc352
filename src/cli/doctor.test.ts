import assert from 'node:assert/strict'
import { chmod } from 'node:fs/promises'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import { examine, type Finding } from './examine.ts'
import { anAccount } from './run-troupe.ts'

test('[C42] the doctor looks at everything, changes nothing, and names the line that mends what is missing', async (t) => {
  const account = await anAccount(t)

  const { code, stdout } = await account.troupe('doctor', '--json')

  const { ok, findings } = JSON.parse(stdout)
  assert.deepEqual(
    findings.map(({ what }: Finding) => what),
    ['node', 'git', 'sandbox', 'configuration', 'roles', 'store', 'model', 'port', 'files'],
  )
  assert.equal(code, ok ? 0 : 1)
  assert.ok(findings.every(({ state, fix }: Finding) => state === 'good' || fix !== undefined))
  assert.match(stateOf(findings, 'model').found, /rehearsal/)
  assert.match(stateOf(findings, 'store').found, /made at the first use/)
})

test('[C42] a taken port, a key and a token others may read are found', async (t) => {
  const blocker = createServer().listen(0, '127.0.0.1')
  t.after(() => blocker.close())
  await once(blocker, 'listening')
  const address = blocker.address()
  const account = await anAccount(t, { TROUPE_PORT: String(typeof address === 'object' ? address?.port : 0), OPENAI_API_KEY: 'sk-test' })
  await chmod(await account.write('.local/share/troupe/token', 'x'), 0o644)

  const findings = await examine(account.env, account.project)

  assert.match(stateOf(findings, 'port').found, /is taken/)
  assert.equal(stateOf(findings, 'model').found.split('/')[0], 'openai')
  assert.match(stateOf(findings, 'files').fix ?? '', /^chmod 600 .*token$/)
})

test('[C42] a broken configuration does not hide the rest of the machine', async (t) => {
  const account = await anAccount(t)
  await account.write('.config/troupe/config.yaml', 'port: yes\n')

  const { code, stdout } = await account.troupe('doctor')

  assert.equal(code, 1)
  assert.match(stdout, /✘ configuration +.*config\.yaml:1: port is "yes"/)
  assert.match(stdout, /git/)
})

function stateOf(findings: Finding[], what: string): Finding {
  return findings.find((finding) => finding.what === what) ?? assert.fail(`nothing was said of ${what}`)
}
