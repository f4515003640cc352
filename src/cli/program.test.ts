import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount } from './run-troupe.ts'

test('[C10] the version and the help are printed on stdout with exit 0', async (t) => {
  const account = await anAccount(t)

  const version = await account.troupe('--version')
  const help = await account.troupe('--help')

  assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
  assert.match(help.stdout, /Usage: troupe/)
  assert.deepEqual([version.code, help.code, help.stderr], [0, 0, ''])
})

test('[C11] a mistyped noun or verb is refused with what was probably meant', async (t) => {
  const account = await anAccount(t)

  const noun = await account.troupe('confg')
  const verb = await account.troupe('config', 'chekc')

  assert.deepEqual([noun.code, verb.code], [42, 42])
  assert.match(noun.stderr, /unknown command 'confg' \(Did you mean config\?\)/)
  assert.match(verb.stderr, /Did you mean check\?/)
})

test('[C11] an unknown option and a missing argument are one sentence with what to do', async (t) => {
  const account = await anAccount(t)

  const option = await account.troupe('config', 'path', '--lenght')
  const argument = await account.troupe('completion')

  assert.equal(option.stderr, "troupe: unknown option '--lenght'; see troupe --help\n")
  assert.equal(argument.stderr, "troupe: missing required argument 'shell'; see troupe --help\n")
  assert.deepEqual([option.code, argument.code, option.stdout], [42, 42, ''])
})

test('[C12] with --json a result and a problem are JSON on stdout, and nothing else is', async (t) => {
  const account = await anAccount(t)
  const bad = await anAccount(t, { TROUPE_PORT: 'many' })

  const good = await account.troupe('config', 'path', '--json')
  const before = await account.troupe('--json', 'config', 'path')
  const problem = await bad.troupe('config', '--json')

  assert.equal(JSON.parse(good.stdout).project_config, `${account.project}/.troupe/config.yaml`)
  assert.equal(JSON.parse(problem.stdout).error.code, 'bad_input')
  assert.deepEqual([good.code, good.stderr, problem.code], [0, '', 42])
  assert.equal(before.stdout, good.stdout)
})

test('[C13] there is no colour where stdout is no terminal', async (t) => {
  const account = await anAccount(t)

  const { stdout } = await account.troupe('config')
  const { stderr } = await account.troupe('nonsense')

  assert.ok(!stdout.includes('\u001b['))
  assert.ok(!stderr.includes('\u001b['))
})
