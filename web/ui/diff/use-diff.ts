import { useMemo, useState } from 'react'
import type { LineNote } from './diff-block.tsx'
import type { DiffFilesProps } from './diff-files.tsx'
import type { DiffFile } from './diff-file.ts'
import { rowsOfFile } from './rows.ts'
import { useHunks } from './use-hunks.ts'
import { useViewed } from './use-viewed.ts'

export type DiffState = ReturnType<typeof useDiff>

const none: readonly LineNote[] = []

/** What a diff shows: which files are open, what was opened around their changes, and the rows that follow from it. */
export function useDiff({ id, files, loadWhole, notes = none, comments }: DiffFilesProps) {
  const { hunksOf, expand, lines, busy, error } = useHunks(loadWhole)
  const { paths: viewed, mark } = useViewed(id, files)
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const several = files.length > 1
  const expandable = loadWhole !== undefined
  const isOpen = (path: string) => !folded.has(path) && !(several && viewed.has(path))
  const rows = useMemo(
    () =>
      files.flatMap((file) => {
        const open = !folded.has(file.path) && !(several && viewed.has(file.path))
        return rowsOfFile(file, hunksOf(file), { open, expandable: expandable && file.status === 'changed', lines: lines(file.path) })
      }),
    [files, folded, viewed, hunksOf, lines, expandable, several],
  )
  function fold(path: string, open: boolean): void {
    if (open && viewed.has(path)) mark(path, false)
    setFolded((now) => new Set(open ? [...now].filter((one) => one !== path) : [...now, path]))
  }
  /** What is said of lines that are not among those shown, for the head of the file. */
  function notesElsewhere(file: DiffFile): LineNote[] {
    const shown = hunksOf(file)
    const isShown = ({ line }: LineNote) => shown.some(({ newStart, newLines }) => line >= newStart && line < newStart + newLines)
    return notesOf(file).filter((note) => !isShown(note))
  }
  const notesOf = (file: DiffFile) => (notes.length === 0 ? none : notes.filter(({ path }) => path === file.path))
  return {
    files,
    several,
    rows,
    isOpen,
    fold,
    viewed,
    mark,
    expand,
    expandable,
    busy,
    error,
    notesOf,
    notesElsewhere,
    comments: comments ?? null,
  }
}
