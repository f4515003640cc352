import * as z from 'zod'

/** Which files of a workspace are meant: `docs/**`, `README.md`, `src/*.ts`. `*` and `?` stay within a name, `**` is any number of folders. */
export const PathGlob = z
  .string()
  .max(300)
  .superRefine((text, context) => {
    const fault = faultIn(text)
    if (fault !== null) context.addIssue({ code: 'custom', message: fault })
  })

/** Whether a path of a workspace is one of those meant, or is in one of them. */
export function fitsGlob(glob: string, path: string): boolean {
  const names = path.split('/')
  const pattern = glob.split('/')
  return names.some((_, at) => fits(pattern, names.slice(0, at + 1), (name) => name === '**', fitsName))
}

/** Whether a path is above one of those meant: a folder on the way to it. */
export function leadsToGlob(glob: string, path: string): boolean {
  if (path === '.') return true
  const names = path.split('/')
  const pattern = glob.split('/')
  const open = pattern.indexOf('**')
  const fixed = open === -1 ? pattern : pattern.slice(0, open)
  const isLong = names.length >= pattern.length && open === -1
  return !isLong && names.every((name, at) => at >= fixed.length || fitsName(fixed[at] ?? '', name))
}

/** How a glob can be kept by mounts: as everything in a folder, as one path, or not at all. */
export function mountOfGlob(glob: string): { folder: string } | { path: string } | null {
  const inFolder = glob.endsWith('/**') ? glob.slice(0, -3) : null
  if (inFolder !== null) return isPlain(inFolder) ? { folder: inFolder } : null
  return isPlain(glob) ? { path: glob } : null
}

/** Whether everything that a glob means is surely meant by another. */
export function coversGlob(wide: string, glob: string): boolean {
  const mount = mountOfGlob(wide)
  const folder = mount === null ? null : 'folder' in mount ? mount.folder : mount.path
  return wide === glob || (folder !== null && glob.startsWith(`${folder}/`))
}

function isPlain(text: string): boolean {
  return !/[*?]/.test(text)
}

function faultIn(text: string): string | null {
  if (text.trim() === '') return 'a path such as docs/**'
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001F\u007F\\]/.test(text)) return 'a path without control characters and backslashes'
  if (/^[/~!]/.test(text)) return 'a path inside the workspace, such as docs/**, without / ~ or ! at its start'
  if (text.endsWith('/')) return `${text}** for everything in the folder`
  const names = text.split('/')
  if (names.some((name) => name === '' || name === '.' || name === '..')) return 'a path without empty names, . and ..'
  if (names.some((name) => name !== '**' && name.includes('**'))) return 'a path in which ** is alone between two /'
  return null
}

function fitsName(pattern: string, name: string): boolean {
  return fits(
    pattern.split(''),
    name.split(''),
    (letter) => letter === '*',
    (letter, other) => letter === '?' || letter === other,
  )
}

/** In time that grows with both lengths alone: only the last `any` is ever gone back to. */
function fits(
  pattern: readonly string[],
  text: readonly string[],
  isAny: (part: string) => boolean,
  same: (part: string, other: string) => boolean,
): boolean {
  let [at, any, mark] = [0, -1, 0]
  for (let read = 0; read < text.length;) {
    const part = pattern[at]
    const other = text[read] ?? ''
    if (part !== undefined && isAny(part)) {
      any = at
      mark = read
      at += 1
    } else if (part !== undefined && same(part, other)) {
      at += 1
      read += 1
    } else if (any !== -1) {
      mark += 1
      read = mark
      at = any + 1
    } else return false
  }
  return pattern.slice(at).every(isAny)
}
