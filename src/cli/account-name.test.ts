import assert from 'node:assert/strict'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import { test } from 'node:test'
import { setVariables } from '../sandbox/test-surroundings.ts'
import { personHere } from './board/context.ts'

test('[C68] an account that the machine has no name for is called by its number', (t) => {
  setVariables(t, { USER: '' })
  t.mock.method(os, 'userInfo', () => {
    throw new Error('ENOENT: no such file or directory, uv_os_get_passwd')
  })
  syncBuiltinESMExports()
  t.after(() => {
    t.mock.restoreAll()
    syncBuiltinESMExports()
  })

  assert.equal(personHere(), `uid-${process.getuid?.()}`)
})
