import { closeSync, fstatSync } from 'node:fs'
import { relative } from 'node:path'
import { Problem } from '../../domain/problem.ts'
import { openInside, readWhole } from '../../sandbox/files/open-inside.ts'
import type { ToolContext } from '../tool.ts'

/** Larger files are searched, not read. */
const FILE_BYTES = 50_000_000

/** Where a NUL byte gives a binary file away; text files have none. */
const LOOKED_AT_BYTES = 8_000

/** Reads a text file of the workspace, or says why it is none. `faithful` is false when bytes were not UTF-8, so writing the text back would damage the file. */
export async function readTextFile(context: ToolContext, path: string) {
  return asText(path, await readBytes(context, path))
}

/** Bytes as text, or why they are none. */
export function asText(path: string, bytes: Buffer) {
  if (bytes.subarray(0, LOOKED_AT_BYTES).includes(0)) {
    throw new Problem('bad_input', `${path} is a binary file of ${bytes.length} bytes; only text can be read`)
  }
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return { bytes, text, faithful: !text.includes('\uFFFD') || Buffer.from(text).equals(bytes) }
}

/** The bytes of a file in the workspace, from where the gate checked it and nowhere else. */
export async function readBytes({ root, commands, place }: ToolContext, path: string): Promise<Buffer> {
  const { fd } = await openInside(root, relative(root, place(path)) || '.', 'read', commands)
  try {
    const { size } = fstatSync(fd)
    if (size > FILE_BYTES)
      throw new Problem('too_large', `${path} has ${size} bytes and at most ${FILE_BYTES} are read; search_code looks into it`)
    return await readWhole(fd)
  } finally {
    closeSync(fd)
  }
}
