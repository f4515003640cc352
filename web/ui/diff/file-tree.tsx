import { Check, Folder } from 'lucide-react'
import type { DiffFile } from './diff-file.ts'

interface FileTreeProps {
  files: readonly DiffFile[]
  viewed: ReadonlySet<string>
  onChoose: (path: string) => void
}

/** The changed files by folder, with how much changed in each. */
export function FileTree({ files, viewed, onChoose }: FileTreeProps) {
  const folders = [...Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/') + 1))].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )
  return (
    <nav aria-label="Changed files" className="flex flex-col gap-2 text-xs">
      {folders.map(([folder, inside]) => (
        <div key={folder}>
          {folder !== '' && (
            <p className="flex items-center gap-1.5 px-2 py-1 text-soft">
              <Folder size={12} className="shrink-0" aria-hidden />
              <span className="min-w-0 truncate" title={folder}>
                {folder.slice(0, -1)}
              </span>
            </p>
          )}
          <ul>
            {inside.map((file) => (
              <li key={file.path}>
                <button
                  type="button"
                  onClick={() => onChoose(file.path)}
                  title={file.path}
                  className={`flex h-7 w-full items-center gap-2 rounded-md pr-2 text-left hover:bg-raised ${folder === '' ? 'pl-2' : 'pl-6'} ${viewed.has(file.path) ? 'text-soft' : ''}`}
                >
                  <span className="min-w-0 flex-1 truncate font-mono">{file.path.slice(folder.length)}</span>
                  {viewed.has(file.path) && <Check size={12} className="shrink-0 text-good" aria-label="viewed" />}
                  <Counts file={file} />
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** How many lines came and went. */
export function Counts({ file: { added, removed } }: { file: Pick<DiffFile, 'added' | 'removed'> }) {
  if (added === null || removed === null) return <span className="shrink-0 text-soft">binary</span>
  return (
    <span className="shrink-0 font-mono tabular-nums">
      {added > 0 && <span className="text-good">+{added.toLocaleString()}</span>}
      {added > 0 && removed > 0 && ' '}
      {removed > 0 && <span className="text-danger">−{removed.toLocaleString()}</span>}
      {added + removed === 0 && <span className="text-soft">±0</span>}
    </span>
  )
}
