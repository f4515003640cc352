import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleOf } from '../rehearsal/step.ts'

const patterns = [
  '^#+ *Goal',
  '^\\s*(1[.)]|-)',
  '[\\w-]+\\.[a-z]{1,5}\\b',
  'confirmed|ruled out|still open',
  '^(?:yes|no)$',
  '(?<year>\\d{4})-\\d{2}',
  '[^a-z]+\\d?',
  'a\\/b\\|c',
  'x{3,}y+?z',
]

test('[W97] the rehearsal finds a text for the patterns that authors write', () => {
  for (const pattern of patterns) assert.match(sampleOf(pattern), RegExp(pattern, 'm'), pattern)
})
