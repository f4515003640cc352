import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { each } from '../domain/test-each.ts'
import { listenHere } from '../sandbox/test-surroundings.ts'
import { fetchBranch, pushBranch } from './remote.ts'
import { commitOf, gitText, type Repository } from './repository.ts'
import { makeTestRepository } from './test-repository.ts'

test('[T10] no program that a repository names for its remotes runs when we fetch or push', async (t) => {
  const [repository, there, other] = [await makeTestRepository(t), await makeTestRepository(t), await makeTestRepository(t)]
  const ran = await markingPrograms(repository, [
    'remote.there.uploadpack',
    'remote.there.receivepack',
    'core.alternateRefsCommand',
    'gpg.program',
    'core.gitProxy',
    'core.sshCommand',
    'credential.helper',
  ])
  const address = await guardedServer(t)
  const urls = { there: there.root, guarded: address, plain: 'git://127.0.0.1:1/x', secure: 'ssh://127.0.0.1:1/x' }
  const settings = { ...Object.fromEntries(Object.entries(urls).map(([name, url]) => [`remote.${name}.url`, url])), 'push.gpgSign': 'true' }
  for (const [key, value] of Object.entries(settings)) await gitText(repository.root, ['config', key, value])
  await gitText(there.root, ['config', 'receive.certNonceSeed', 'seed'])
  await writeFile(join(repository.commonDir, 'objects/info/alternates'), `${other.commonDir}/objects\n`)

  const head = await commitOf(repository.root, 'HEAD')
  const pushed = await pushBranch(repository, 'there', 'task/1', null, head)
  const fetched = await fetchBranch(repository, 'there', 'main')
  const unreachable = await Promise.allSettled(['guarded', 'plain', 'secure'].map((name) => fetchBranch(repository, name, 'main')))

  assert.deepEqual([pushed, fetched], ['moved', await commitOf(there.root, 'main')])
  assert.deepEqual(each(unreachable, 'status'), ['rejected', 'rejected', 'rejected'])
  assert.deepEqual(readdirSync(ran), [])
})

/** Names a program for each setting that leaves a file behind when it is started; gives the folder of these files. */
async function markingPrograms({ root, commonDir }: Repository, keys: readonly string[]): Promise<string> {
  const ran = join(commonDir, 'ran')
  await mkdir(ran)
  for (const [at, key] of keys.entries()) {
    const file = join(commonDir, `program-${at}`)
    await writeFile(file, `#!/bin/sh\ntouch "${ran}/${key}"\nexit 1\n`, { mode: 0o755 })
    await gitText(root, ['config', key, file])
  }
  return ran
}

/** A server that asks everyone for a password. */
async function guardedServer(t: TestContext): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end())
  return `http://127.0.0.1:${await listenHere(t, server)}/x`
}
