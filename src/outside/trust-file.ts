import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as z from 'zod'
import { Problem } from '../domain/problem.ts'
import { writeWhole } from '../sandbox/files/write-whole.ts'
import { ServerSettings } from './settings.ts'

/** What the user let a project's server do, by the digest of exactly that entry. */
export type TrustedEntries = z.infer<typeof TrustedEntries>
const { may, tools, trust_hints, network, mounts } = ServerSettings.shape
const TrustedEntries = z.record(z.string(), z.object({ name: z.string(), root: z.string(), may, tools, trust_hints, network, mounts }))

/** Which entries of projects the user trusts. The file is in the home, which no command sees. */
export function readTrustedEntries(file: string): TrustedEntries {
  try {
    return TrustedEntries.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new Problem('bad_input', `${file} cannot be read; remove it and trust the servers of your projects again`, { cause: error })
  }
}

export async function writeTrustedEntries(file: string, trusted: TrustedEntries): Promise<void> {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  await writeWhole(file, `${JSON.stringify(trusted, null, 1)}\n`)
}
