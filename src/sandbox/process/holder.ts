import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** Names this process so that another one can tell whether it is still alive: host, process namespace, process id, start time. */
export function holderId(): string {
  own ??= [hostname(), pidNamespace(), process.pid, startTime(process.pid)].join('/')
  return own
}

/** Whether a holder is certainly gone. Only a process of this very machine can be judged; the lease decides about the others. */
export function isGone(holder: string): boolean {
  const [host, namespace, pid, started] = holder.split('/')
  if (host !== hostname() || namespace !== pidNamespace() || namespace === '') return false
  return startTime(Number(pid)) !== started
}

let own: string | undefined

/** A process id means nothing in another container. */
function pidNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return '' // no procfs: no process can be judged
  }
}

/** In clock ticks since boot: process ids are used again, a pair of id and start time is not. */
function startTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? '' : (fields[18] ?? '')
  } catch {
    return ''
  }
}
