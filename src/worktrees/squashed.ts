import { git } from '../sandbox/git/git.ts'
import { gitText, LIST_BYTES } from './repository.ts'

/** A commit, and every file it holds otherwise than where two branches parted. */
interface Point {
  commit: string
  files: ReadonlyMap<string, string>
}

/**
 * Where another branch already holds what ours did, though not as our commits: after a squash merge or a rebase git would
 * take both for changes of the same lines. The newest commit of ours whose files are all there, and where they are.
 */
export async function findSquashed(root: string, ours: string, theirs: string): Promise<{ ours: string; theirs: string } | null> {
  const fork = (await git(root, ['merge-base', ours, theirs])).stdout.trim()
  if (fork === '') return null
  const [mine, others] = [await pointsAlong(root, fork, ours), await pointsAlong(root, fork, theirs)]
  for (const mineAt of mine.toReversed()) {
    const held = others.findLast(({ files }) => mineAt.files.size > 0 && holdsAll(files, mineAt.files))
    if (held !== undefined) return { ours: mineAt.commit, theirs: held.commit }
  }
  return null
}

function holdsAll(files: Point['files'], wanted: Point['files']): boolean {
  return [...wanted].every(([path, content]) => files.get(path) === content)
}

/** Every step of a branch on its own line, oldest first. */
async function pointsAlong(root: string, fork: string, head: string): Promise<Point[]> {
  const args = ['log', '--first-parent', '--reverse', '--raw', '-z', '--no-renames', '--no-abbrev', '--format=%x01%H'] as const
  const listed = await gitText(root, [...args, `${fork}..${head}`], { outputBytes: LIST_BYTES })
  const [files, before] = [new Map<string, string>(), new Map<string, string>()]
  return listed
    .split('\u0001')
    .slice(1)
    .map((step) => {
      const [commit = '', ...fields] = step.split('\0')
      for (const [path, was, is] of changesIn(fields)) {
        if (!before.has(path)) before.set(path, was)
        files.set(path, is)
        if (before.get(path) === is) files.delete(path) // as it was where they parted
      }
      return { commit, files: new Map(files) }
    })
}

/** Each changed file with its mode and content before and after. */
function changesIn(fields: readonly string[]): [path: string, was: string, is: string][] {
  return fields.flatMap((field, at) => {
    const [, oldMode, newMode, was, is] = /:(\d+) (\d+) (\w+) (\w+) \w+$/.exec(field) ?? []
    return oldMode === undefined ? [] : [[fields[at + 1] ?? '', `${oldMode} ${was}`, `${newMode} ${is}`]]
  })
}
