import { useMemo } from 'react'
import { useKeptChoice } from '../kept-choice.ts'
import type { DiffFile } from './diff-file.ts'

/** Which files were ticked off, kept in this browser; a file that changed since has to be looked at again. */
export function useViewed(id: string, files: readonly DiffFile[]) {
  const [kept, keep] = useKeptChoice(`troupe.viewed.${id}`)
  const marks = useMemo(() => new Set((kept ?? '').split('\n').filter(Boolean)), [kept])
  const paths = useMemo(() => new Set(files.filter((file) => marks.has(markOf(file))).map(({ path }) => path)), [files, marks])
  function mark(path: string, viewed: boolean): void {
    const now = files.filter((file) => (file.path === path ? viewed : paths.has(file.path))).map(markOf)
    keep(now.length === 0 ? null : now.join('\n'))
  }
  return { paths, mark }
}

/** The name with a number that follows from the patch. */
function markOf({ path, patch }: DiffFile): string {
  let sum = 0
  for (let at = 0; at < (patch?.length ?? 0); at++) sum = (Math.imul(sum, 31) + (patch?.charCodeAt(at) ?? 0)) | 0
  return `${sum} ${path}`
}
