import { counted } from '../../src/domain/text/format.ts'
import { useRead } from '../api.ts'
import { DiffView } from '../ui/diff.tsx'
import { ErrorNote, Loading } from '../ui/status/notice.tsx'

/** Every line is two cells of a table: hundreds of thousands of them would freeze the page. */
const LINES_OF_A_FILE = 400
const FILES_SHOWN = 50

/** What a job has changed since its base, file by file. */
export function Changes({ id }: { id: string }) {
  const diff = useRead('job.diff', { job: id })
  if (diff.isPending) return <Loading />
  if (diff.isError) return <ErrorNote error={diff.error} />
  const { files, patch } = diff.data
  const patches = patch.split(/^(?=diff --git )/m).filter((part) => part.startsWith('diff --git'))
  const shown = patches.slice(0, FILES_SHOWN)
  const hidden = files.length - shown.length
  const paths = files.map(({ path }) => path)
  return (
    <div className="flex flex-col gap-4">
      <p className="text-soft">
        {files.length === 0 ? 'Nothing was changed.' : `${counted(files.length, 'file')} changed since the base.`}
      </p>
      {shown.map((part) => (
        <FileChange key={nameOf(part, paths)} part={part} name={nameOf(part, paths)} id={id} />
      ))}
      {hidden > 0 && (
        <p className="text-soft">
          {counted(hidden, 'file')} more; troupe job export {id} writes all of it.
        </p>
      )}
    </div>
  )
}

function FileChange({ part, name, id }: { part: string; name: string; id: string }) {
  const lines = part.split('\n')
  const hidden = lines.length - LINES_OF_A_FILE
  return (
    <div className="flex flex-col gap-1">
      <DiffView patch={lines.slice(0, LINES_OF_A_FILE).join('\n')} name={name} />
      {/^Binary files /m.test(part) && <p className="text-xs text-soft">A binary file; its content is not shown.</p>}
      {hidden > 0 && (
        <p className="text-xs text-soft">
          {counted(hidden, 'line')} more; troupe job export {id} writes all of it.
        </p>
      )}
    </div>
  )
}

/** By what the patch itself says: one that was cut in the middle does not hold every file. */
function nameOf(part: string, paths: readonly string[]): string {
  const head = part.slice('diff --git '.length, part.indexOf('\n'))
  return paths.find((path) => head === `a/${path} b/${path}`) ?? head
}
