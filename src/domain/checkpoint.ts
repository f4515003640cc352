import * as z from 'zod'

/** Owner and group, where they are not those of this process. */
const owner = z.tuple([z.int(), z.int()]).exactOptional()

/** What is at a path. A file whose content was not read has a `hash` that begins with `stat:` and cannot be brought back. */
export type FileState = z.infer<typeof FileState>
export const FileState = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('file'), mode: z.int(), size: z.number(), hash: z.string(), owner }),
  z.object({ kind: z.literal('link'), target: z.string() }),
  z.object({ kind: z.literal('folder'), mode: z.int(), owner }),
  /** A pipe, a socket or a device: seen, never kept. */
  z.object({ kind: z.literal('other'), hash: z.string() }),
])

/** What became of one path. Null: nothing was there. */
export type PathChange = z.infer<typeof PathChange>
export const PathChange = z.object({ path: z.string(), before: FileState.nullable(), after: FileState.nullable() })

/** Something that no checkpoint holds, and why. */
export type Unkept = z.infer<typeof Unkept>
export const Unkept = z.object({ path: z.string(), why: z.enum(['too_large', 'unreadable', 'special', 'no_room', 'left_out', 'git']) })

/** What one call of an agent did to files, or what a person took back. */
export type Checkpoint = z.infer<typeof Checkpoint>
export const Checkpoint = z.object({
  /** Counts up within a workspace. */
  number: z.int(),
  thread_id: z.string(),
  run_id: z.string(),
  call_id: z.string(),
  at: z.iso.datetime(),
  /** `cut_off`: the process was killed during the call, so what others changed meanwhile is among it. */
  kind: z.enum(['call', 'cut_off', 'restore']),
  /** Of a restore: the number of the checkpoint before which everything was put back. */
  to: z.int().nullable(),
  /** Of a restore: whether it came to its end. */
  done: z.boolean(),
  changes: z.array(PathChange),
  unkept: z.array(Unkept),
})

/** Whether two looks at a path found the same. */
export function sameState(a: FileState | null, b: FileState | null): boolean {
  if (a === null || b === null) return a === b
  if (a.kind === 'file' && b.kind === 'file') return a.hash === b.hash && a.mode === b.mode
  if (a.kind === 'folder' && b.kind === 'folder') return a.mode === b.mode
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target
  return a.kind === 'other' && b.kind === 'other' && a.hash === b.hash
}

/** Whether a state can be brought back: nothing, a folder and a link always can. */
export function isKept(state: FileState | null): boolean {
  if (state?.kind === 'file') return !state.hash.startsWith(UNREAD)
  return state?.kind !== 'other'
}

/** How the hash of what was not read begins. */
export const UNREAD = 'stat:'
