import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What we need of a test: a place to leave the cleaning up. */
export interface Cleanup {
  after(tidy: () => Promise<void>): void
}

/** An empty folder for one test, gone with it. */
export async function testFolder(t: Cleanup, place = tmpdir()): Promise<string> {
  const folder = await realpath(await mkdtemp(join(place, 'troupe-test-')))
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20 })) // a git whose master was killed may still write there
  return folder
}

/** Does something that leaves things to clean up where no test is there to do it; what came last goes first. */
export async function cleaningUp<Result>(work: (t: Cleanup) => Promise<Result>): Promise<Result> {
  const left: (() => Promise<void>)[] = []
  try {
    return await work({ after: (tidy) => void left.push(tidy) })
  } finally {
    for (const tidy of left.toReversed()) await tidy()
  }
}
