import { closeSync, constants, existsSync, fstatSync, openSync, readFileSync } from 'node:fs'

/** The text of an ordinary file, or none. A pipe that a command left in its place would be waited for, and a device read, for ever. */
export function readPlainText(path: string): string {
  if (!existsSync(path)) return '' // most often; an error for it would take ten times as long
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      return fstatSync(fd).isFile() ? readFileSync(fd, 'utf8') : ''
    } finally {
      closeSync(fd)
    }
  } catch {
    return '' // gone, a folder, or not ours to read
  }
}
