import assert from 'node:assert/strict'
import { mkdir, realpath, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { Problem } from '../../domain/problem.ts'
import { isInside } from './inside.ts'
import { type PathOptions, resolveInside } from './path.ts'
import { setVariables } from '../test-surroundings.ts'
import { testWorkspace } from '../test-workspace.ts'

/** Pieces from which an attacker builds paths; every link of the test workspace is among them. */
const pieces = [
  '..',
  '.',
  '',
  '/',
  '~',
  'a',
  'b.txt',
  'in',
  'out',
  'up',
  'loop',
  'gone',
  'far',
  '.git',
  '.GIT',
  'hooks',
  '.env',
  'etc',
  'proc',
  'self',
  'root',
  'C:',
  'x\\y',
  '\0',
  'ａ',
  'é',
]

async function trickyWorkspace(t: Parameters<typeof testWorkspace>[0]): Promise<string> {
  const outer = await testWorkspace(t, { 'secret.txt': 'outside', 'root/a/b.txt': 'inside', 'root/.env': 'KEY=1' })
  const root = join(outer, 'root')
  await symlink('a', join(root, 'in'))
  await symlink('/etc', join(root, 'out'))
  await symlink('..', join(root, 'up'))
  await symlink('loop', join(root, 'loop'))
  await symlink('../not-there/yet', join(root, 'gone'))
  await symlink('/proc/self/root', join(root, 'far'))
  return root
}

async function ruleFor(root: string, path: string, options: PathOptions = { use: 'read' }): Promise<unknown> {
  return resolveInside(root, path, options).then(
    () => 'allowed',
    (error: unknown) => (error instanceof Problem && error.code === 'denied' ? error.details.rule : error),
  )
}

test('[S18] whatever text comes, the path is inside its root, or a Problem says which rule refused it', async (t) => {
  const root = await trickyWorkspace(t)
  const texts = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('/')),
    fc.array(fc.constantFrom(...pieces), { maxLength: 8 }).map((parts) => `${root}/${parts.join('/')}`),
    fc.string({ unit: 'binary' }),
  )

  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom('read' as const, 'write' as const), async (path, use) => {
      const answer = await resolveInside(root, path, { use }).catch((error: unknown) => error)

      if (answer instanceof Problem) return typeof answer.details.rule === 'string'
      assert.ok(typeof answer === 'object' && answer !== null && 'path' in answer && typeof answer.path === 'string')
      const real = await realpath(answer.path).catch(() => answer.path)
      return isInside(root, answer.path) && real === answer.path
    }),
    { numRuns: 2000 },
  )
})

test('[S18] each way out is refused by its own rule', async (t) => {
  const root = await trickyWorkspace(t)
  const ways = {
    '../secret.txt': 'outside',
    'a/../../secret.txt': 'outside',
    '/etc/passwd': 'outside',
    'out/passwd': 'outside',
    'in/../../secret.txt': 'outside',
    'up/secret.txt': 'outside',
    gone: 'outside',
    'gone/file': 'outside',
    loop: 'too_many_links',
    'far/etc/passwd': 'process_folder',
    '/proc/self/environ': 'process_folder',
    '~/.bashrc': 'home',
    '..\\secret.txt': 'backslash',
    'a\0b': 'control_character',
    '  ': 'empty',
    ['n'.repeat(300)]: 'too_long',
  }

  const rules = Object.fromEntries(await Promise.all(Object.keys(ways).map(async (path) => [path, await ruleFor(root, path)])))

  assert.deepEqual(rules, ways)
})

test('[S18] a path that stays inside is given back absolute, free of links, with its place in the workspace', async (t) => {
  const root = await trickyWorkspace(t)

  const found = await Promise.all(
    ['in/b.txt', `${root}/a/`, 'a/new/file.txt', '.'].map((path) => resolveInside(root, path, { use: 'write' })),
  )

  assert.deepEqual(found, [
    { path: `${root}/a/b.txt`, relative: 'a/b.txt', exists: true },
    { path: `${root}/a`, relative: 'a', exists: true },
    { path: `${root}/a/new/file.txt`, relative: 'a/new/file.txt', exists: false },
    { path: root, relative: '.', exists: true },
  ])
})

test('[S19] secrets are kept from every role, under every spelling and through links', async (t) => {
  const root = await testWorkspace(t, { '.npmrc': '//registry/:_authToken=abc', 'sub/.npmrc': 'save-exact=true', '.env': 'KEY=1' })
  await symlink('.env', join(root, 'harmless.txt'))
  const secrets = {
    environment_file: ['.env', './.env', '.ENV', '.env.local', '.envrc', 'sub/.env', '.env/', '.e\u200Dnv', 'harmless.txt', `${root}/.env`],
    private_key: ['id_rsa', 'keys/server.pem', 'TLS.KEY', '.x/id_ed25519'],
    credentials: ['.netrc', '.npmrc', '.aws/credentials', '.ssh/known_hosts', '.docker/config.json', '.git-credentials'],
    git_config: ['.git/config', '.git/hooks/pre-commit', '.GIT/Config', 'sub/.git/hooks', '.git/modules/x/config', '.git /config.'],
    allowed: ['.env.example', 'id_rsa.pub', 'sub/.npmrc', '.git/HEAD', '.gitignore', 'environment.ts', 'keys.ts'],
  }

  const judged = await Promise.all(
    Object.entries(secrets).map(async ([rule, paths]) => [rule, await Promise.all(paths.map((path) => ruleFor(root, path)))] as const),
  )

  for (const [rule, rules] of judged) assert.deepEqual([...new Set(rules)], [rule])
})

test('[S19] so are the tokens of package managers, of Workers in development and of git; their settings and examples are not', async (t) => {
  const root = await testWorkspace(t, {
    '.yarnrc.yml': 'npmScopes:\n  ours:\n    npmAuthToken: abc\n',
    'sub/.yarnrc.yml': 'nodeLinker: node-modules\n',
  })
  const paths = ['.yarnrc.yml', '.config/git/credentials', '.dev.vars', 'sub/.dev.vars.production']
  const plain = ['sub/.yarnrc.yml', '.config/git/ignore', '.dev.vars.example']

  const rules = await Promise.all([...paths, ...plain].map((path) => ruleFor(root, path)))

  const [secret, open] = [['credentials', 'credentials', 'environment_file', 'environment_file'], plain.map(() => 'allowed')]
  assert.deepEqual(rules, [...secret, ...open])
})

test('[S19] the git folder and the .troupe folder are never written, and reading them is another matter', async (t) => {
  const root = await testWorkspace(t, { '.git/HEAD': 'ref: refs/heads/main', '.troupe/state.yaml': '' })

  const written = await Promise.all(
    ['.git/HEAD', '.git', 'sub/.git/index', '.troupe/roles/x.md'].map((path) => ruleFor(root, path, { use: 'write' })),
  )
  const read = await Promise.all(['.git/HEAD', '.troupe/state.yaml'].map((path) => ruleFor(root, path)))

  assert.deepEqual(written, ['git_folder', 'git_folder', 'git_folder', 'troupe_folder'])
  assert.deepEqual(read, ['allowed', 'allowed'])
})

test('[S34] no file tool writes what makes a folder a repository, in whatever order and however deep', async (t) => {
  const root = await testWorkspace(t, {
    'a/HEAD': 'ref: refs/heads/main',
    'a/refs/heads/x': '',
    'b/objects/x': '',
    'b/refs/x': '',
    'c/HEAD': '',
    'd/HEAD': '',
    'd/objects/x': '',
    'd/refs/x': '',
    'plain/objects/x': '',
  })
  const completing = ['a/objects/pack/x', 'a/objects', 'b/HEAD', 'b/head', 'c/commondir', 'd/config', 'd/hooks/post-checkout']
  const plain = ['a/config', 'c/refs/x', 'plain/HEAD', 'plain/refs/x', 'HEAD', 'objects/x']

  const rules = await Promise.all([...completing, ...plain].map((path) => ruleFor(root, path, { use: 'write' })))

  assert.deepEqual(rules, [...completing.map(() => 'git_folder'), ...plain.map(() => 'allowed')])
})

test('[S19] what the user listed is open, by path, by folder and by pattern, and nothing beside it', async (t) => {
  const root = await testWorkspace(t, { '.env': '', 'certs/a.pem': '' })
  const options: PathOptions = { use: 'read', allowedSecrets: ['.env', 'certs/*.pem', 'keys/'] }

  const rules = await Promise.all(
    ['.env', 'certs/a.pem', 'keys/id_rsa', '.env.local', 'sub/.env', 'a.pem'].map((path) => ruleFor(root, path, options)),
  )

  assert.deepEqual(rules, ['allowed', 'allowed', 'allowed', 'environment_file', 'environment_file', 'private_key'])
})

test("[S19] Troupe's own records are closed even where the user listed them", async (t) => {
  const root = await testWorkspace(t)
  setVariables(t, { TROUPE_HOME: join(root, 'records') })
  await mkdir(join(root, 'records'))

  const rule = await ruleFor(root, 'records/store.db', { use: 'read', allowedSecrets: ['records'] })

  assert.equal(rule, 'store')
})
