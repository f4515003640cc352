import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second. */
const MS_PER_TICK = 10

/** How long this process and those it started and outlived have computed, user and system; 0 where the system does not tell. */
export function cpuMs() {
  if (process.platform !== 'linux') return 0
  // The name of the program stands in brackets and may hold spaces; utime, stime, cutime and cstime come eleven fields after it.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ')
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * MS_PER_TICK
}
