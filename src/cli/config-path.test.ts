import assert from 'node:assert/strict'
import { readdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { test } from 'node:test'
import { assertNone } from '../sandbox/test-none.ts'
import { workflowFolders } from '../workflows/files/catalogue.ts'
import { beginRepository } from '../worktrees/test-repository.ts'
import { anAccount, type Account } from './test-account.ts'

test('[C79] config path names every place in which Troupe writes: under a home, under TROUPE_HOME and under folders of XDG', async (t) => {
  for (const variables of [[], ['TROUPE_HOME'], ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME']]) {
    const account = await accountWith(t, variables)
    await beginRepository(account.project, { 'spec.md': '# Greet\n' })
    await account.write('home.txt', 'not ours\n')

    const commands = [
      'run What?',
      'chat list',
      'job create greet --objective Greet --activate',
      'board init Greet --spec spec.md',
      'roles',
      ...(variables.length === 0 ? ['demo'] : []),
    ]
    for (const command of commands) assert.equal((await account.troupe(...command.split(' '))).code, 0, command)
    const places: Record<string, string> = JSON.parse((await account.troupe('config', 'path', '--json')).stdout)

    const known = Object.values(places)
    const files = (await filesIn(account.home)).filter((file) => !/^(home\.txt|project\/(spec\.md|\.git\/.*))$/.test(file))
    assert.ok(files.length > 5)
    assertNone(files, (file) => !known.some((place) => isIn(place, join(account.home, file))))
    const folders = workflowFolders(account.project, account.env).filter(({ source }) => source !== 'built-in')
    assertNone(folders, ({ dir }) => !known.some((place) => isIn(place, dir)))
  }
})

async function accountWith(t: Parameters<typeof anAccount>[0], variables: readonly string[]): Promise<Account> {
  const account = await anAccount(t)
  for (const name of [...variables, 'TMPDIR']) account.env[name] = join(await realpath(account.home), 'own places', name)
  await account.write('own places/TMPDIR/.keep', '')
  return account
}

async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found.filter((entry) => !entry.isDirectory()).map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
}

function isIn(place: string, file: string): boolean {
  return file === place || file.startsWith(place.endsWith(sep) ? place : place + sep)
}
