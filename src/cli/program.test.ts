import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import * as fc from 'fast-check'
import { openShell } from '../../tests/open-shell.ts'
import { anAccount, launcher } from './test-account.ts'
import { onTerminal } from './test-terminal.ts'

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
  assert.match(noun.stderr, /unknown command 'confg' \(Did you mean config\?\); see troupe --help/)
  assert.match(verb.stderr, /Did you mean check\?\); see troupe config --help/)
})

test('[C11] help on a mistyped noun or verb is refused as it is, and help comes before or after the verb', async (t) => {
  const account = await anAccount(t)

  const asked = [await account.troupe('help', 'chta'), await account.troupe('chta', '--help')]
  const verbs = [await account.troupe('help', 'config', 'cheque'), await account.troupe('config', 'cheque', '--help')]
  const verb = await account.troupe('help', 'config', 'check')

  for (const ended of asked)
    assert.deepEqual(ended, { code: 42, stdout: '', stderr: "troupe: unknown command 'chta' (Did you mean chat?); see troupe --help\n" })
  for (const { code, stderr } of verbs)
    assert.deepEqual([code, stderr], [42, "troupe: unknown command 'cheque' (Did you mean check?); see troupe config --help\n"])
  assert.match(verb.stdout, /^Usage: troupe config check/)
})

test('[C11] an unknown option and a missing argument are one sentence with what to do', async (t) => {
  const account = await anAccount(t)

  const option = await account.troupe('config', 'path', '--lenght')
  const argument = await account.troupe('completion')

  assert.equal(option.stderr, "troupe: unknown option '--lenght'; see troupe config path --help\n")
  assert.equal(argument.stderr, "troupe: missing required argument 'shell'; see troupe completion --help\n")
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

test('[C12] with --json every list stands under the name of what it lists', async (t) => {
  const { troupe } = await openShell(t, { 'spec.md': '# Users\n' })
  await troupe('board', 'init', 'List the users', '--spec', 'spec.md')
  const lists = { roles: 'roles list', workflows: 'workflow list', runs: 'workflow runs', chats: 'chat list', jobs: 'job list' }

  for (const [name, typed] of Object.entries({ ...lists, tasks: 'board list', lines: 'board log' })) {
    const { stdout } = await troupe(...typed.split(' '), '--json')

    assert.ok(Array.isArray(JSON.parse(stdout)[name]), `troupe ${typed} --json prints no ${name}: ${stdout.slice(0, 100)}`)
  }
})

test('[C13] a terminal gets colour, unless NO_COLOR is set', async (t) => {
  const account = await anAccount(t)
  const wrong = ['config', 'path', 'nonsense']

  const [plain, coloured] = [await onTerminal(account, wrong, { NO_COLOR: '1' }), await onTerminal(account, wrong)]

  assert.ok(coloured.startsWith('\u001b[31mtroupe:'), coloured)
  assert.match(plain, /^troupe: too many arguments/)
})

test('[C13] there is no colour where stdout is no terminal', async (t) => {
  const account = await anAccount(t)

  const { stdout } = await account.troupe('config')
  const { stderr } = await account.troupe('nonsense')

  assert.ok(!stdout.includes('\u001b['))
  assert.ok(!stderr.includes('\u001b['))
})

test('[C15] output that finds no room ends the command with a sentence', async (t) => {
  const { project: cwd, env } = await anAccount(t)

  const ended = await promisify(execFile)('sh', ['-c', '"$0" roles >/dev/full', launcher], { cwd, env }).catch((error: unknown) => error)

  const { code, stderr } = ended as { code: number; stderr: string } // as a process ends that fails
  assert.equal(code, 11)
  assert.match(stderr, /^troupe: the disk is full: [^\n]+\n$/)
})

test('[C14] a command whose work never comes to an end does not end as if it were done', async (t) => {
  const never =
    "import fs from 'node:fs/promises'; fs.readFile = () => new Promise(() => {}); (await import('node:module')).syncBuiltinESMExports()"
  const account = await anAccount(t, { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(never)}` })

  const { code, stdout, stderr } = await account.troupe('roles', '--json')

  assert.deepEqual([code, JSON.parse(stdout).error.code], [1, 'internal'])
  assert.equal(stderr, 'troupe: the command ended early: nothing was left to wait for\n')
})

test('[C14] whatever is typed, a command ends with a code of ours and never with a stack', async (t) => {
  const account = await anAccount(t)
  const noun = fc.constantFrom('config', 'roles', 'completion', 'doctr', 'help', '--help', '--', '')
  const word = fc.oneof(
    fc.string(),
    fc.constantFrom(
      '--json',
      '--help',
      'list',
      'show',
      'check',
      'explain',
      'bash',
      '--port',
      '-x',
      '--',
      '--port=',
      '__proto__',
      'constructor',
      '\u0000',
    ),
  )
  const typed = fc.sample(fc.tuple(noun, fc.array(word, { maxLength: 4 })), { numRuns: 150 }).map(([first, rest]) => [first, ...rest])
  await account.write('project/typed.json', JSON.stringify(typed))
  const script = `import fs from 'node:fs'
    const { runCommandLine } = await import(${JSON.stringify(join(import.meta.dirname, 'program.ts'))})
    const codes = []
    for (const words of JSON.parse(fs.readFileSync('typed.json', 'utf8'))) { codes.push(await runCommandLine(words, '1.0.0')); process.exitCode = 0 }
    fs.writeFileSync('codes.json', JSON.stringify(codes))`

  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: account.project,
    env: account.env,
    maxBuffer: 1e8,
    timeout: 120_000,
  })

  const codes: number[] = JSON.parse(await readFile(join(account.project, 'codes.json'), 'utf8'))
  assert.equal(codes.length, typed.length)
  assert.deepEqual(
    codes.map((code, at) => [code, typed[at]]).filter(([code]) => code !== 0 && code !== 42),
    [],
  )
  assert.doesNotMatch(stderr, /^\s+at .*\.ts:/m)
})
