import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutTerminalCodes } from './terminal-codes.ts'

test('[P76] of what a program printed the codes of a terminal are left out, and nothing else', () => {
  const printed = {
    '\u001b[32m✓\u001b[0m 3 tests': '✓ 3 tests',
    '\u001b[38;5;196;1mred\u001b[m and \u009b4mlined\u009b24m': 'red and lined',
    '\u001b]0;title\u0007\u001b]8;;https://x.y\u001b\\link\u001b]8;;\u001b\\': 'link',
    '\u001b[2K\u001b[1A\u001b7\u001b(B\u001b=done\u001b8': 'done',
    'array[3] = [0m]; \\u001b[31m and a tab\tstay\n': 'array[3] = [0m]; \\u001b[31m and a tab\tstay\n',
    '\u001b[3': '\u001b[3',
  }

  assert.deepEqual(Object.keys(printed).map(withoutTerminalCodes), Object.values(printed))
})
