import { gitText, LIST_BYTES } from './repository.ts'

/** A file that a range adds or changes, as git stores it. */
export interface StoredFile {
  path: string
  /** A file, a link, or a commit of a submodule. */
  mode: string
  object: string
}

/** What a range adds or changes. Its deletions are left out. */
export async function storedFiles(root: string, base: string, head: string): Promise<StoredFile[]> {
  const args = ['diff-tree', '-r', '--raw', '-z', '--no-renames', '--no-abbrev', '--diff-filter=d', base, head] as const
  const fields = (await gitText(root, args, { outputBytes: LIST_BYTES })).split('\0')
  return fields.flatMap((field, at) => {
    const [, mode, , object] = field.startsWith(':') ? field.split(' ') : []
    return mode === undefined || object === undefined ? [] : [{ path: fields[at + 1] ?? '', mode, object }]
  })
}

/** The sizes of objects, by their names. */
export async function sizesOf(root: string, objects: readonly string[]): Promise<Map<string, number>> {
  if (objects.length === 0) return new Map()
  const stdin = `${objects.join('\n')}\n`
  const listed = await gitText(root, ['cat-file', '--batch-check=%(objectname) %(objectsize)'], { stdin, outputBytes: LIST_BYTES })
  return new Map(listed.split('\n').map((line): [string, number] => [line.split(' ')[0] ?? '', Number(line.split(' ')[1])]))
}

/** The lines that a range adds, by file; files in `without` are not looked at. */
export async function addedLines(root: string, base: string, head: string, without: readonly string[]): Promise<Map<string, string>> {
  const excluded = without.map((path) => `:(exclude,literal)${path}`)
  const args = ['diff', '--unified=0', '--no-color', '--no-renames', '--text', base, head, '--', '.', ...excluded] as const
  const added = new Map<string, string>()
  let path = ''
  for (const line of (await gitText(root, args, { outputBytes: LIST_BYTES })).split('\n')) {
    if (line.startsWith('+++ b/')) path = line.slice('+++ b/'.length).replace(/\t$/, '')
    else if (line.startsWith('+')) added.set(path, `${added.get(path) ?? ''}${line.slice(1)}\n`)
  }
  return added
}
