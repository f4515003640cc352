import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isMeant, patternFor, readPattern } from './pattern.ts'
import { readCommands } from './words.ts'

const npmTest = readPattern('npm test *')
const allowed = ['npm test *', 'tail *', 'git status *', './check.sh', 'rm -rf build', "echo 'it is'"].map(readPattern)

test('[G60] a command is meant when each of its parts is: by the very words, or by those it begins with', () => {
  const meant = [
    'npm test',
    'npm  test -- --grep "a b"',
    'np\'m\' te"st"',
    'npm test 2>&1 | tail -20',
    'npm test >/dev/null 2>&1 && git status',
    'npm test\ngit status -s\n',
    'npm test; tail -n 5 log.txt || npm test',
    './check.sh',
    'rm -rf build',
  ]

  assert.deepEqual(
    meant.filter((command) => !isMeant(command, true, allowed)),
    [],
  )
})

/** Each tries to have something else run under the leave for `npm test *`. */
const tricks = [
  'npm test; rm -rf x',
  'npm test && rm -rf x',
  'npm test || rm -rf x',
  'npm test | rm -rf x',
  'npm test |& rm -rf x',
  'npm test & rm -rf x',
  'npm test\nrm -rf x',
  'npm test\r\nrm -rf x',
  'npm test \\\n; rm -rf x',
  'npm test $(rm -rf x)',
  'npm test `rm -rf x`',
  'npm test "$(rm -rf x)"',
  'npm test "`rm -rf x`"',
  'npm test <(rm -rf x)',
  'npm test $((1+1))',
  'npm test $HOME',
  'npm test ${x:-y}',
  "npm test $'a'",
  'npm test > src/main.ts',
  'npm test >> src/main.ts',
  'npm test 2> src/main.ts',
  'npm test &> src/main.ts',
  'npm test >| src/main.ts',
  'npm test >/dev/null/../../tmp/x',
  'npm test < secrets.txt',
  'npm test <<EOF\nx\nEOF',
  'npm test <<< x',
  'PATH=. npm test',
  'NODE_OPTIONS=--require=./x.js npm test',
  'A+=b npm test',
  'env npm test',
  'env PATH=. npm test',
  'command npm test',
  'exec npm test',
  'sudo npm test',
  'time npm test',
  '! npm test',
  "sh -c 'npm test'",
  "sh -c 'npm test; rm -rf x'",
  "bash -lc 'rm -rf x'",
  'eval npm test',
  'echo npm test | sh',
  'xargs npm test',
  '(npm test; rm -rf x)',
  '{ npm test; rm -rf x; }',
  'if true; then rm -rf x; fi; npm test',
  'for f in a; do rm $f; done',
  'npm() { rm -rf x; }; npm test',
  'function npm { rm -rf x; }; npm test',
  "alias npm='rm -rf x'; npm test",
  'shopt -s expand_aliases\nalias npm=rm\nnpm test',
  'npm test # ; rm -rf x',
  'npm test *.js',
  'npm test ?',
  'npm test [a]',
  'npm test {a,b}',
  'npm test ~',
  'np? test',
  './npm test',
  '/tmp/npm test',
  'node_modules/.bin/npm test',
  'npm\u00A0test',
  'npm\u2003test; rm -rf x',
  'npm test \u0000; rm -rf x',
  'npm test \u001B[2K',
  'npm testx',
  'npm tes',
  'npm',
  'npm run test',
  'npm --prefix evil test',
  'npm test --script-shell=./x',
  'npm test x -c y',
  'NPM test',
  '-- npm test',
  '-c npm test',
  "npm test 'unclosed",
  'npm test "unclosed',
  '',
  '  ',
  ';',
]

test('[G61] what might run anything else than the allowed words is not meant, whatever form it takes', () => {
  assert.deepEqual(
    tricks.filter((command) => isMeant(command, true, [npmTest])),
    [],
  )
})

test('[G61] an option that overwrites a file is not meant by leave for whatever follows', () => {
  const patterns = ['git diff *', 'git log *'].map(readPattern)

  assert.deepEqual(
    ['git diff --stat', 'git log --oneline', 'git diff --output=a.ts', 'git log --output a.ts'].map((line) =>
      isMeant(line, true, patterns),
    ),
    [true, true, false, false],
  )
})

test('[G61] in another folder only what reads is meant', () => {
  assert.deepEqual(
    ['npm test', 'rm -rf build', 'tail -5 log.txt', 'git status'].map((line) => isMeant(line, false, allowed)),
    [false, false, true, true],
  )
})

test('[G61] a program that is named by its path is meant only where it was allowed: not after moving elsewhere, nor from another folder', () => {
  const moving = [...allowed, readPattern('cd evil')]

  assert.deepEqual(
    [isMeant('./check.sh', true, moving), isMeant('./check.sh', false, moving), isMeant('cd evil && ./check.sh', true, moving)],
    [true, false, false],
  )
})

test('[G62] leave for whatever follows is not given to what starts programs, deletes, or takes aliases', () => {
  const wide = [
    'sh *',
    'bash -c *',
    'env *',
    'sudo npm *',
    'xargs *',
    'python3.12 *',
    '/usr/bin/python3 *',
    'node *',
    'npx *',
    'find . *',
    'sed *',
  ]
  const deleting = ['rm *', 'rm -rf *', 'git clean *', 'git reset *', 'git checkout *', 'git rm *', 'mv *', 'find *']
  const aliases = ['git *', 'git st *', 'git st', 'git -c alias.x=!sh x', 'git grep *', 'git fetch *', 'alias *', 'export *', 'cd *']
  const launching = [
    'npm *',
    'npm exec *',
    'npm run *',
    'uv run *',
    'uv run bash *',
    'pnpm dlx *',
    'npm --prefix x *',
    'npm exec -- *',
    'npm run --silent *',
    'npm install *',
    'make test *',
  ]
  const others = ['test *', 'compgen *', 'sort *', 'split *', 'java *', 'setarch *', './check.sh *', 'jobs *']
  const unreadable = ['npm test; ls', 'npm test | tail', '$(x) *', 'A=b npm test', '*', '', 'if *', 'npm test *x', 'npm * test']

  for (const pattern of [...wide, ...deleting, ...aliases, ...launching, ...others, ...unreadable])
    assert.throws(() => readPattern(pattern), { code: 'bad_input' }, pattern)
})

test('[G62] what a person is offered is as wide as is harmless, and else the very words', () => {
  const offered = {
    'npm test -- --grep x': 'npm test *',
    'npm run build --watch': 'npm run build --watch',
    'npm run build -- --watch': 'npm run build *',
    'npm exec -- eslint .': 'npm exec -- eslint .',
    'test -f package.json': 'test -f package.json',
    'make test': 'make test',
    'git diff --output=x': 'git diff --output=x',
    'uv run pytest -q': 'uv run pytest -q',
    'uv run bash -c ls': 'uv run bash -c ls',
    'eslint --fix src': 'eslint --fix src',
    'git status -s': 'git status *',
    'git clean -fdx': 'git clean -fdx',
    'git st': null,
    'rm -rf build': 'rm -rf build',
    "python3 -c 'print(1)'": "python3 -c 'print(1)'",
    'echo "it\'s" done': 'echo *',
    'bash -c "echo \'it\'"': 'bash -c "echo \'it\'"',
  }

  for (const [command, pattern] of Object.entries(offered)) {
    const [words = assert.fail(command)] = readCommands(command) ?? []
    assert.equal(patternFor(words), pattern, command)
    if (pattern !== null) assert.ok(isMeant(command, true, [readPattern(pattern)]), command)
  }
})
