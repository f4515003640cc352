import { closeSync, openSync, readSync, realpathSync, statSync } from 'node:fs'
import { relative } from 'node:path'
import { withoutTerminalCodes } from '../../domain/text/terminal-codes.ts'
import { isInside } from '../../sandbox/files/inside.ts'
import { secretRule } from '../../sandbox/files/secret.ts'
import { isOwnRecord } from '../../sandbox/files/store-paths.ts'

/** A text file that a model is told, or the beginning of it. */
export interface ToldFile {
  text: string
  /** How many bytes there are beyond it. */
  cutBytes: number
}

/** Characters that a reader does not see and a model obeys. */
const HIDDEN = /(?!\r\n|[\n\t])[\p{Cc}\p{Bidi_Control}\u{E0000}-\u{E007F}]/gu

/** The beginning of a file inside a folder. A link is fine; one that leads out of the folder, or to a secret, would hand what it names to a model. The user's own may be beside our records. */
export function readTold(folder: string, file: string, mostChars: number, isUsers = false): ToldFile | null {
  try {
    const root = realpathSync(folder)
    const real = realpathSync(file)
    const isKept = (!isUsers && isOwnRecord(root, real)) || secretRule(relative(root, real), 'read') !== null
    return isInside(root, real) && !isKept ? readBeginning(real, mostChars) : null
  } catch {
    return null // most folders have none
  }
}

/** The beginning of a file that its owner put where it is for this, wherever it leads. */
export function readOwn(file: string, mostChars: number): ToldFile | null {
  try {
    return readBeginning(realpathSync(file), mostChars)
  } catch {
    return null
  }
}

/** Read no further than it is told: whoever is at work waits for this, and a file of a gigabyte is one line of shell. */
function readBeginning(file: string, mostChars: number): ToldFile | null {
  const stat = statSync(file)
  if (!stat.isFile()) return null // a pipe would keep us waiting
  const bytes = Buffer.alloc(Math.min(stat.size, 4 * mostChars)) // no character takes more than four
  const opened = openSync(file, 'r')
  try {
    const whole = bytes.toString('utf8', 0, readSync(opened, bytes))
    const told = whole.slice(0, mostChars)
    return { text: withoutTerminalCodes(told).replaceAll(HIDDEN, ''), cutBytes: stat.size - Buffer.byteLength(told) }
  } finally {
    closeSync(opened)
  }
}
