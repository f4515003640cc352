import { lstat, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Problem } from '../domain/problem.ts'

/** A file to be, from the top of a folder. */
export interface NewFile {
  file: string
  text: string
}

export interface WrittenFile {
  file: string
  outcome: 'written' | 'kept' | 'would_write'
}

/** Writes files that are not there yet; one that is stays as it is. A dry run only says what would happen. */
export async function writeNew(folder: string, files: readonly NewFile[], dry: boolean): Promise<WrittenFile[]> {
  for (const { file } of files) await refuseLinks(folder, dirname(file))
  const outcomes: WrittenFile[] = []
  for (const { file, text } of files) {
    const path = join(folder, file)
    const there = await lstat(path).catch(() => null)
    if (there === null && !dry) {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, text, { flag: 'wx' })
    }
    outcomes.push({ file, outcome: there !== null ? 'kept' : dry ? 'would_write' : 'written' })
  }
  return outcomes
}

/** A cloned project whose `.troupe` leads to the user's own settings would have its roles written among those that are trusted. */
async function refuseLinks(folder: string, below: string): Promise<void> {
  if (below === '.') return
  await refuseLinks(folder, dirname(below))
  const there = await lstat(join(folder, below)).catch(() => null)
  if (there?.isSymbolicLink())
    throw new Problem('bad_input', `${below} is a symbolic link; nothing is written through it, so make it a folder`)
}
