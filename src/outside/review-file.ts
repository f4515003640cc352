import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod'
import { canonicalJson } from '../domain/text/canonical-json.ts'
import { Problem } from '../domain/problem.ts'
import { writeWhole } from '../sandbox/files/write-whole.ts'

const Hints = z.object({
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
})

/** A tool as its server described it when the user looked. */
export type ReviewedTool = z.infer<typeof ReviewedTool>
export const ReviewedTool = z.object({
  name: z.string(),
  description: z.string(),
  input_schema: z.record(z.string(), z.unknown()),
  hints: Hints,
  /** Of everything the server says about it, also what is not kept here. */
  digest: z.string(),
})

/** What is kept of a server: what the user accepted, and which protocol it speaks, so that no start has to try both. */
export type ReviewedServer = z.infer<typeof ReviewedServer>
export const ReviewedServer = z.object({
  reviewed_at: z.string(),
  tools: z.array(ReviewedTool),
  /** Tools that were found to be new, changed or gone since. */
  unreviewed: z.array(z.string()).default([]),
  era: z.enum(['legacy', 'modern']).optional(),
  era_at: z.string().optional(),
})

/** What was accepted of a server; null where nobody has looked yet. */
export function readReview(file: string): ReviewedServer | null {
  try {
    return ReviewedServer.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw new Problem('bad_input', `${file} cannot be read; remove it and review the server again`, { cause: error })
  }
}

export async function writeReview(file: string, review: ReviewedServer): Promise<void> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  await writeWhole(file, `${JSON.stringify(review, null, 1)}\n`)
}

/** One name in any mix of letters is one file, also where the file system does not tell them apart. */
export function serverFileName(name: string): string {
  return `${name}-${sha256(name).slice(0, 8)}.json`
}

/** The fingerprint of everything a server says about a tool. */
export function digestOf(told: unknown): string {
  return sha256(canonicalJson(told))
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
