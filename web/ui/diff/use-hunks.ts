import { useCallback, useState } from 'react'
import { expandFromRawCode, type HunkData } from 'react-diff-view'
import { hunksOf, oldLinesOf, type DiffFile } from './diff-file.ts'

/** What a person opened of one file. */
interface Opened {
  /** The patch it was opened in: another makes it void. */
  of: string | null
  hunks: HunkData[]
  lines: string[]
}

/** A patch is read once; the list asks for it again and again. */
const read = new WeakMap<DiffFile, HunkData[]>()

function hunksOnce(file: DiffFile): HunkData[] {
  const known = read.get(file) ?? hunksOf(file.patch ?? '')
  read.set(file, known)
  return known
}

/** The parts of each file, with what was opened around them. */
export function useHunks(loadWhole: ((path: string) => Promise<string | null>) | undefined) {
  const [opened, setOpened] = useState<ReadonlyMap<string, Opened>>(new Map())
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const hunks = useCallback(
    (file: DiffFile) => {
      const own = opened.get(file.path)
      return own !== undefined && own.of === file.patch ? own.hunks : hunksOnce(file)
    },
    [opened],
  )
  const lines = useCallback((path: string) => opened.get(path)?.lines.length ?? null, [opened])
  async function expand(file: DiffFile, from: number, to: number | null): Promise<void> {
    if (loadWhole === undefined) return
    setBusy(true)
    setError(null)
    try {
      const known = opened.get(file.path)
      const whole = known?.of === file.patch ? null : hunksOf((await loadWhole(file.path)) ?? '')
      const source = whole === null ? (known?.lines ?? []) : oldLinesOf(whole)
      const now =
        file.patch === null
          ? (whole ?? [])
          : expandFromRawCode(hunks(file), source, from, Math.min((to ?? source.length) + 1, source.length + 1))
      setOpened((before) => new Map(before).set(file.path, { of: file.patch, hunks: now, lines: source }))
    } catch (cause) {
      setError(cause)
    }
    setBusy(false)
  }
  return { hunksOf: hunks, lines, expand: (...asked: Parameters<typeof expand>) => void expand(...asked), busy, error }
}
