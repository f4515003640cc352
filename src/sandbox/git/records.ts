import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { isAbsolute, join, resolve } from 'node:path'
import { git } from './git.ts'
import { placeAtTop } from './place.ts'
import { readPlainText } from '../files/plain-text.ts'
import type { Command } from '../sandbox.ts'
import { words } from '../process/word-list.ts'

type CommandMounts = NonNullable<Command['mounts']>

/** What git reads of a repository. Not here: hooks, submodules, logs, and whatever else a person keeps in a git folder. */
const shown = words`HEAD objects refs packed-refs reftable shallow info`

/** Settings that say how the repository is stored. All others, which may hold tokens or name programs, are left out. */
const storage =
  /^(core\.(repositoryformatversion|filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol)|extensions\.(objectformat|refstorage))$/

/**
 * Shows a command in a worktree the records of its repository, so that git reads there: log, diff, show, blame, status. All of it is
 * read-only. `scratch` holds the settings it sees. Nothing for a folder that is not the top of a worktree.
 */
export async function gitRecords(root: string, scratch: string): Promise<CommandMounts> {
  const place = placeAtTop(root)
  if (place === null || place.gitDir === place.commonDir) return []
  const { gitDir, commonDir } = place
  const config = join(scratch, 'git-config')
  await writeFile(config, await storageSettings(root, join(commonDir, 'config')), { mode: 0o600 })
  const folders = [...shown.map((name) => join(commonDir, name)), gitDir, ...alternates(join(commonDir, 'objects'))]
  return [
    { path: commonDir, access: 'empty' },
    ...folders.filter((path) => existsSync(path)).map((path) => ({ path, access: 'read' as const })),
    { path: join(commonDir, 'config'), access: 'read', from: config },
  ]
}

async function storageSettings(root: string, file: string): Promise<string> {
  const { stdout } = await git(root, ['config', '--file', file, '--null', '--list'])
  const lines = stdout.split('\0').flatMap((entry) => {
    const [key = '', value = ''] = entry.split('\n')
    const [section, name] = key.split('.')
    return storage.test(key) && /^[\w.-]+$/.test(value) ? [`[${section}]\n\t${name} = ${value}\n`] : []
  })
  return lines.join('')
}

/** Folders from which a repository borrows objects, and those they borrow from. */
function alternates(objects: string, seen: readonly string[] = []): string[] {
  const lines = readPlainText(join(objects, 'info', 'alternates')).split('\n')
  const named = lines.flatMap((line) => (line === '' ? [] : [isAbsolute(line) ? line : resolve(objects, line)]))
  const more = named.filter((path) => existsSync(path) && !seen.includes(path))
  return more.flatMap((path) => [path, ...alternates(path, [...seen, ...more])])
}
