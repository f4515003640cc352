import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../sources.ts'

/**
 * Where a newcomer would be: a clone of the tree as git would commit it now, and room for homes beside it.
 * Packages are linked instead of downloaded: `npm ci` is what runs before every test.
 */
export function freshClone() {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-docs-'))
  const clone = join(folder, 'troupe')
  execFileSync('git', ['clone', '--quiet', root, clone])
  for (const file of git('ls-files', '-z', '--modified', '--others', '--exclude-standard')) {
    if (existsSync(join(root, file))) cpSync(join(root, file), join(clone, file), { recursive: true })
    else rmSync(join(clone, file), { force: true })
  }
  const packages = join(clone, 'node_modules')
  const linked = spawnSync('cp', ['-al', join(root, 'node_modules'), packages], { stdio: 'ignore' })
  if (linked.status !== 0) {
    // another disk: files cannot be shared across it, the folder can
    rmSync(packages, { recursive: true, force: true })
    symlinkSync(join(root, 'node_modules'), packages)
  }
  return { folder, clone, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
}
