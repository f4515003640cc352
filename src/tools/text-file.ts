import { readFile, stat } from 'node:fs/promises'
import { Problem } from '../domain/problem.ts'

/** Larger files are searched, not read. */
const FILE_BYTES = 50_000_000

/** Where a NUL byte gives a binary file away; text files have none. */
const LOOKED_AT_BYTES = 8_000

/** A file as text. `faithful` is false when bytes were not UTF-8, so writing this text back would damage the file. */
export interface TextFile {
  bytes: Buffer
  text: string
  faithful: boolean
}

/** Reads a text file, or says why it is none. `named` is the path as the caller knows it. */
export async function readTextFile(absolute: string, named: string): Promise<TextFile> {
  const bytes = await readBytes(absolute, named)
  if (bytes.subarray(0, LOOKED_AT_BYTES).includes(0)) {
    throw new Problem('bad_input', `${named} is a binary file of ${bytes.length} bytes; only text can be read`)
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return { bytes, text, faithful: !text.includes('\uFFFD') || Buffer.from(text).equals(bytes) }
}

/** The bytes of a file in the workspace, or a Problem that says what is there instead. */
export async function readBytes(absolute: string, named: string): Promise<Buffer> {
  const found = await stat(absolute).catch(() => null)
  if (found === null) throw new Problem('not_found', `${named} does not exist; list_directory or find_files shows what does`)
  if (found.isDirectory()) throw new Problem('bad_input', `${named} is a directory, not a file; list_directory shows what is in it`)
  if (!found.isFile()) throw new Problem('bad_input', `${named} is not a regular file`)
  if (found.size > FILE_BYTES) {
    throw new Problem(
      'too_large',
      `${named} has ${found.size} bytes and at most ${FILE_BYTES} are read; search_code finds what you need in it`,
    )
  }
  return readFile(absolute)
}
