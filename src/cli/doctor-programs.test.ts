import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { DoctorCheck } from '../api/doctor/check.ts'
import { anAccount } from './test-account.ts'

test('[C67] the doctor starts no program that a project brings along, wherever it stands on the PATH', async (t) => {
  const account = await anAccount(t)
  const bins = ['node_modules/.bin', 'bin'].map((name) => join(account.project, name))
  for (const bin of bins) {
    await mkdir(bin, { recursive: true })
    for (const name of ['git', 'mount', 'touch', 'unshare', 'bwrap', 'setpriv', 'rg', 'chmod']) {
      await writeFile(join(bin, name), `#!/bin/sh\necho ${name} >> ${account.home}/ran\nexit 1\n`, { mode: 0o755 })
    }
  }
  const found = async (): Promise<DoctorCheck[]> => JSON.parse((await account.troupe('doctor', '--json')).stdout).findings
  const plain = await found()
  account.env.PATH = [...bins, account.env.PATH].join(':')

  const findings = await found()

  assert.equal(existsSync(join(account.home, 'ran')), false)
  for (const what of ['git', 'sandbox', 'search']) {
    assert.deepEqual(
      findings.find((finding) => finding.what === what),
      plain.find((finding) => finding.what === what),
    )
  }
})
