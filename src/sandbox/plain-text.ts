import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'

/** All that is in an ordinary file, or null. A pipe that a command left in its place would be waited for, and a device read, for ever. */
export function readPlain(path: string): Buffer | null {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return fstatSync(fd).isFile() ? readFileSync(fd) : null
    } finally {
      closeSync(fd)
    }
  } catch {
    return null // gone, a folder, or not ours to read
  }
}
