import { useMemo } from 'react'
import { fileOf } from './diff-file.ts'
import { DiffFiles } from './diff-files.tsx'

/** A patch of one file that came on its own, such as that of a call. */
export function Patch({ path, patch }: { path: string; patch: string }) {
  const files = useMemo(() => [fileOf(path, patch)], [path, patch])
  return <DiffFiles id="" files={files} />
}
