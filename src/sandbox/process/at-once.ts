import { Problem } from '../../domain/problem.ts'
import { isInside } from '../files/inside.ts'
import { realOf } from '../git/place.ts'
import type { Command, SandboxKind } from '../sandbox.ts'

/** The workspaces that commands of this process may change right now, one entry for each of them. */
const changing: string[] = []

/** Whether a running command could swap a folder for a link in a place that bubblewrap mounts, which follows links. Our own program follows none. */
export function isMovedUnder(kind: SandboxKind, root: string): boolean {
  const place = realOf(root) ?? root
  return kind === 'bubblewrap' && changing.some((other) => isInside(other, place) || isInside(place, other))
}

/** Runs a command while no other can move under the sandbox that is built for it. */
export async function notMovedUnder<Result>(
  kind: SandboxKind,
  { root, access, onPipes }: Command,
  run: () => Promise<Result>,
): Promise<Result> {
  if (isMovedUnder(kind, root)) {
    const message = `another command that may change ${root} is still running, one in the background perhaps; stop it first. With bubblewrap nothing else runs beside it`
    throw new Problem('conflict', message)
  }
  if (access !== 'change' || onPipes !== undefined) return run() // a server of tools is a program the user chose and reviewed
  const place = realOf(root) ?? root
  changing.push(place)
  try {
    return await run()
  } finally {
    changing.splice(changing.indexOf(place), 1)
  }
}
