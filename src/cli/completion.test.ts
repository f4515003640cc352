import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { test } from 'node:test'
import { commands } from './commands.ts'
import { anAccount } from './test-account.ts'

test('[C43] bash completes nouns, verbs and options by the script alone', async (t) => {
  const account = await anAccount(t)
  const { stdout: script } = await account.troupe('completion', 'bash')
  const complete = async (...words: string[]) => {
    const line = words.map((word) => `'${word}'`).join(' ')
    const ask = `${script}\nCOMP_WORDS=(troupe ${line}); COMP_CWORD=${words.length}; _troupe; echo "\${COMPREPLY[@]}"`
    return (await promisify(execFile)('bash', ['-c', ask])).stdout.trim()
  }

  const completed = [await complete('conf'), await complete('config', 'pa'), await complete('serve', '--p'), await complete('nothing', 'x')]

  assert.deepEqual(completed, ['config', 'path', '--port', ''])
})

test('[C43] every noun is completed, and after it its own options', async (t) => {
  const account = await anAccount(t)

  const { stdout: script } = await account.troupe('completion', 'bash')

  const after = (path: string) => new RegExp(`^    '${path}'\\) words='(.*)' ;;$`, 'm').exec(script)?.[1]?.split(' ') ?? []
  assert.deepEqual(
    commands.map(({ name }) => name).filter((name) => !after('').includes(name) || !after(name).includes('--help')),
    [],
  )
  assert.deepEqual(after('demo'), ['--dir', '--no-keep', '--help'])
  assert.ok(after('init').includes('--dry-run'))
})

test('[C43] there is a script for zsh and fish, and for no other shell', async (t) => {
  const account = await anAccount(t)

  const [zsh, fish, other] = [
    await account.troupe('completion', 'zsh'),
    await account.troupe('completion', 'fish'),
    await account.troupe('completion', 'tcsh'),
  ]

  assert.match(zsh.stdout, /^#compdef troupe[^]*'config'\) compadd -- show set unset path check/)
  assert.match(fish.stdout, /complete -c troupe -n '__troupe_at "config"' -a 'show set unset path check/)
  assert.equal(other.stderr, 'troupe: there is no completion for tcsh; there is for bash, zsh, fish\n')
})
