import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

test('[W37] every check that the conformance tool is told to except stands under a reason, once', () => {
  for (const name of ['baseline-2026-07-28', 'baseline-2025-11-25', 'fixtures-2026-07-28', 'fixtures-2025-11-25']) {
    const lines = readFileSync(join(import.meta.dirname, `${name}.yml`), 'utf8')
      .trim()
      .split('\n')
      .slice(2)

    const checks = lines.filter((line) => line.startsWith('  - '))

    assert.match(lines[0] ?? '', /^ {2}# \S/, 'the first check has no reason')
    assert.equal(new Set(checks).size, checks.length)
    for (const line of lines) assert.match(line, /^ {2}(# \S|- [a-z0-9-]+:[a-z0-9-]+$)/)
  }
})
