import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mayDelete } from './deletes.ts'

test('[U20] a command that by its words may delete git’s records or a folder that is left out is told from others', () => {
  const git = [
    'rm -rf .git',
    'cd . && rm -r ./.git/',
    "rm -rf '.git'",
    'rm -rf .git/objects',
    'rm -rf .',
    'rm -rf ./*  .*',
    'rm -rf "$HERE"',
    'mv .git /tmp/x',
    'find . -name .git -exec rm -r {} +',
    'find . -delete',
    `node -e "fs.rmSync('.git', {recursive: true})"`,
    `python3 -c "import shutil; shutil.rmtree('.git')"`,
    'npx rimraf .git',
    'rm -rf `pwd`',
  ]
  const harmless = [
    'rm .gitignore',
    'rm -f a.txt',
    'git status',
    'rm -rf build && git add -A',
    'cat .git/HEAD',
    'npm test',
    'rm -r my.git',
    'cargo rm-x .git',
  ]

  assert.deepEqual(
    git.filter((command) => !mayDelete(command, '.git')),
    [],
  )
  assert.deepEqual(
    harmless.filter((command) => mayDelete(command, '.git')),
    [],
  )
  assert.deepEqual(
    ['rm -rf web/node_modules', 'rm -rf web', 'cd web && rm -rf node_modules', 'git clean -fdx', 'rm -rf src'].map((command) =>
      mayDelete(command, 'web/node_modules'),
    ),
    [true, true, true, true, false],
  )
})
