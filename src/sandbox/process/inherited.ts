import { openSync, readFileSync, readdirSync } from 'node:fs'

/** Set where a descriptor ends with the process that holds it and is not passed on. */
const CLOSES = 0o2000000

/**
 * For each descriptor that this process was started with and would pass on, nothing in its place. Node keeps back only the first
 * few of them; an open folder among the others would lead a command out of its sandbox. What Node opens itself it never passes on.
 */
export function nothingInherited(): ReadonlyMap<number, number> {
  nothing ??= found()
  return nothing
}

let nothing: ReadonlyMap<number, number> | undefined

function found(): ReadonlyMap<number, number> {
  const inherited = process.platform === 'linux' ? readdirSync('/proc/self/fdinfo').map(Number).filter(isPassedOn) : []
  return new Map(inherited.map((descriptor) => [descriptor, openSync('/dev/null', 'r')]))
}

function isPassedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? ''
    return descriptor > 2 && (Number.parseInt(flags, 8) & CLOSES) === 0
  } catch {
    return false // the one that the list was read by
  }
}
