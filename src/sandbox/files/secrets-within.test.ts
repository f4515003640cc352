import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { runCommand } from '../run-command.ts'
import type { Command } from '../sandbox.ts'
import { kindsHere } from '../test-actor.ts'
import { testWorkspace } from '../test-workspace.ts'

const files = {
  '.env': 'KEY=secret-1',
  'app/config/.env.local': 'KEY=secret-2',
  'keys/id_rsa': 'secret-3',
  '.aws/credentials': 'secret-4',
  '.npmrc': '//registry/:_authToken=secret-5',
  'sub/.npmrc': 'save-exact=true',
  '.env.example': 'KEY=',
  'test/server.pem': 'for tests',
  '.env.test': 'committed',
}

for (const kind of await kindsHere()) {
  for (const access of ['read', 'throw_away', 'change'] as const) {
    test(`[N15] in ${kind} with access ${access} a command reads no secret of its workspace, now or later, and all else`, async (t) => {
      const root = await testWorkspace(t, files)
      const git = (script: string) => execFileSync('sh', ['-c', script], { cwd: root })
      git('git init -q -b main . && git add -f test .env.test && git -c user.name=a -c user.email=a@b.c commit -qm one && git gc -q')
      await symlink('.env', join(root, 'harmless.txt'))
      await writeFile(join(root, '.env.test'), 'committed')
      const run = async (script: string, more: Partial<Command> = {}) =>
        (await runCommand({ argv: ['sh', '-c', script], root, access, allowedSecrets: [], ...more }, { kind })).stdout

      const read = await run(
        'cat .env app/config/.env.local keys/id_rsa .aws/* .npmrc harmless.txt; grep -rs secret-; git hash-object .env; cp .env copy; cat copy',
      )
      const usual = await run('cat sub/.npmrc .env.example test/server.pem .env.test; git status --short test .env.test')
      await run(
        'mv .env x; mv app y; mv .aws z; mv keys node_modules; ln .env hard; git add -f .env; git update-index --add --cacheinfo 100644,$(git hash-object -w sub/.npmrc),.env; mkdir -p node_modules && mv app node_modules/app; rm -rf app keys',
      )
      const later = await run(
        'cat .env x y/config/.env.local z/* node_modules/app/config/.env.local node_modules/id_rsa hard; grep -rs secret-; git show :.env',
      )
      const listed = await run('cat .env app/config/.env.local', { allowedSecrets: ['.env'] })

      for (const text of [read, later]) assert.doesNotMatch(text, /secret-\d/)
      assert.equal(usual, 'save-exact=trueKEY=for testscommitted')
      assert.equal(listed, 'KEY=secret-1')
      assert.deepEqual(
        await Promise.all(['.env', 'app/config/.env.local', 'keys/id_rsa'].map((path) => readFile(join(root, path), 'utf8'))),
        ['KEY=secret-1', 'KEY=secret-2', 'secret-3'],
      )
    })
  }
}
