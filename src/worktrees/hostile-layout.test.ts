import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { git } from '../sandbox/git/git.ts'
import { testFolder } from '../sandbox/test-folder.ts'
import { gitText } from './repository.ts'

/** Lays a repository out so that one may take it for another than git does; `evil` goes where git reads its settings. */
type Layout = (folder: string, evil: string) => Promise<void>

const layouts: Record<string, Layout> = {
  'a `.git` file of two lines, which git takes for one name': async (folder, evil) => {
    await gitFolder(join(folder, 'good'))
    await gitFolder(join(folder, 'good\nbad'), evil)
    await writeFile(join(folder, 'good/gitdir'), join(folder, '.git'))
    await writeFile(join(folder, '.git'), 'gitdir: good\nbad\n')
  },
  'a common folder whose name is not UTF-8': async (folder, evil) => {
    await gitFolder(join(folder, '.git'))
    await gitFolder(join(folder, '.git/common\ufffd'))
    await gitFolder(join(folder, '.git/bad'), evil)
    await rename(join(folder, '.git/bad'), Buffer.concat([Buffer.from(join(folder, '.git/common')), Buffer.from([0xff])]))
    await writeFile(join(folder, '.git/commondir'), Buffer.concat([Buffer.from('common'), Buffer.from([0xff, 0x0a])]))
  },
  'a common folder that is named by whoever asks': async (folder, evil) => {
    await gitFolder(join(folder, '.git'))
    await gitFolder(join(folder, '.git', (await readFile('/proc/self/comm', 'utf8')).trim()))
    await gitFolder(join(folder, '.git/git'), evil)
    await symlink('/proc/self/comm', join(folder, '.git/commondir'))
  },
  'settings that lie elsewhere for whoever asks': async (folder, evil) => {
    await gitFolder(join(folder, '.git'))
    await rename(join(folder, '.git/config'), join(folder, 'package.json')) // there is one where the tests run, too
    await appendFile(join(folder, 'package.json'), evil)
    await symlink('/proc/self/cwd/package.json', join(folder, '.git/config'))
  },
  'a `.git` that git passes over for the repository around it': async (folder, evil) => {
    await gitFolder(join(folder, 'around'))
    for (const name of ['HEAD', 'objects', 'refs']) await rename(join(folder, 'around', name), join(folder, name))
    const settings = await readFile(join(folder, 'around/config'), 'utf8')
    await writeFile(join(folder, 'config'), `${settings}\tworktree = ${folder}\n${evil}`)
    await mkdir(join(folder, '.git'))
    await writeFile(join(folder, '.git/config'), settings)
  },
  'a filter whose name is not UTF-8': async (folder, evil) => {
    await gitFolder(join(folder, '.git'))
    await appendFile(join(folder, '.git/config'), Buffer.from(evil.replace('evil', 'ev\u00ffil'), 'latin1'))
    await writeFile(join(folder, '.gitattributes'), Buffer.from('* filter=ev\u00ffil\n', 'latin1'))
  },
}

for (const [layout, layOut] of Object.entries(layouts)) {
  const skip = layout.endsWith('whoever asks') && !existsSync('/proc/self') // only Linux has such links
  test(`[T10] no filter runs by ${layout}`, { skip }, async (t) => {
    const folder = await testFolder(t)
    const ran = join(folder, 'ran')
    await writeFile(join(folder, '.gitattributes'), '* filter=evil\n')
    await layOut(folder, `[filter "evil"]\n\tclean = "touch ${ran}; cat"\n`)

    await git(folder, ['update-index', '--add', '.gitattributes']).catch(() => undefined) // to refuse is as good

    assert.equal(existsSync(ran), false)
  })
}

async function gitFolder(path: string, settings = ''): Promise<void> {
  await mkdir(`${path}-new`)
  await gitText(`${path}-new`, ['init', '--quiet'])
  await rename(join(`${path}-new`, '.git'), path)
  await rm(`${path}-new`, { recursive: true })
  await appendFile(join(path, 'config'), settings)
}
