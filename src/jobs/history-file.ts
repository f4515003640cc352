import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { canonicalJson } from '../domain/canonical-json.ts'
import { JobHistory, type Interaction } from '../domain/job-history.ts'
import type { Job } from '../domain/job.ts'
import { Problem } from '../domain/problem.ts'
import type { Driver } from '../store/driver.ts'
import { jobInteractions } from '../store/tables.ts'
import { placesOf, stampOf, writeWhole } from './files.ts'

/** Above this a part is closed and compressed; the next interaction begins a new one. */
const PART_BYTES = 8 * 1024 * 1024

const HEAD = '{"interactions": [\n'
const TAIL = '\n]}\n'

export type HistoryState = Job['history']

/**
 * Adds an interaction, which the store holds already, to `jobHistory.json`. Only the end of the file is touched, so the
 * ten-thousandth costs what the first did. A file that is not as we left it is rebuilt from the store.
 */
export async function appendHistory(
  driver: Driver,
  job: Job,
  interaction: Interaction,
  now: Date,
  partBytes = PART_BYTES,
): Promise<HistoryState> {
  const { history } = placesOf(job)
  if (!(await isAsLeft(history, job.history))) return rebuildHistory(driver, job, now, partBytes)
  const { interactions, parts, bytes } = job.history
  const line = JSON.stringify(interaction)
  if (bytes === 0) return begin(history, [line], { interactions: interactions + 1, parts })
  if (bytes + line.length <= partBytes) {
    const added = await writeAtEnd(history, bytes, `,\n${line}${TAIL}`)
    return { interactions: interactions + 1, parts, bytes: added }
  }
  await writeWhole(partName(job, parts + 1), await promisify(gzip)(await readFile(history)))
  return begin(history, [line], { interactions: interactions + 1, parts: parts + 1 })
}

/** Writes the whole history anew from the store. What was there and did not say the same is kept beside it. */
export async function rebuildHistory(driver: Driver, job: Job, now: Date, partBytes = PART_BYTES): Promise<HistoryState> {
  const recorded = (await jobInteractions.list(driver, { where: { job_id: job.id }, order: ['sequence'] })).map(
    ({ item }) => item.interaction,
  )
  const found = await readHistoryFiles(job).catch((): null => null)
  if (found !== null && canonicalJson(found) === canonicalJson(recorded)) return stateOf(job, recorded.length)
  await putAside(driver, job, now)
  let [state, lines, size] = [{ interactions: 0, parts: 0, bytes: 0 }, [] as string[], 0]
  for (const interaction of recorded) {
    const line = JSON.stringify(interaction)
    if (lines.length > 0 && size + line.length > partBytes) {
      await writeWhole(partName(job, state.parts + 1), await promisify(gzip)(fileText(lines)))
      ;[state, lines, size] = [{ ...state, parts: state.parts + 1 }, [], 0]
    }
    lines.push(line)
    size += line.length + 2
  }
  return begin(placesOf(job).history, lines, { interactions: recorded.length, parts: state.parts })
}

/** Every interaction in the files of a job, across its parts; a damaged file is refused with its name. Reading changes nothing. */
export async function readHistoryFiles(job: Pick<Job, 'directory'>): Promise<Interaction[]> {
  const { history } = placesOf(job)
  const all: Interaction[] = []
  for (const path of [...(await partsOf(job)), history]) {
    const bytes = await readFile(path).catch((): null => null)
    if (bytes === null) continue
    all.push(...interactionsIn(path, path.endsWith('.gz') ? await unzipped(path, bytes) : bytes))
  }
  return all
}

async function unzipped(path: string, bytes: Buffer): Promise<Buffer> {
  return promisify(gunzip)(bytes).catch((cause: unknown) => {
    throw new Problem('bad_input', `${path} is damaged: ${String(cause)}`, { cause })
  })
}

function interactionsIn(path: string, bytes: Buffer): Interaction[] {
  try {
    return JobHistory.parse(JSON.parse(bytes.toString('utf8'))).interactions
  } catch (cause) {
    throw new Problem('bad_input', `${path} is damaged; troupe job recover writes it anew from the store`, { cause })
  }
}

/** The size we left it with, and the end we left it with. An edit that keeps both is found by `recover`, which reads all of it. */
async function isAsLeft(history: string, { bytes }: HistoryState): Promise<boolean> {
  const found = await stat(history).catch((): null => null)
  if ((found?.size ?? 0) !== bytes) return false
  return bytes === 0 || (await endOf(history, bytes)) === TAIL
}

async function endOf(history: string, bytes: number): Promise<string> {
  const file = await open(history, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(TAIL.length), 0, TAIL.length, bytes - TAIL.length)
    return buffer.toString('utf8')
  } finally {
    await file.close()
  }
}

/** One write that begins where the closing brackets stand. */
async function writeAtEnd(history: string, bytes: number, text: string): Promise<number> {
  const file = await open(history, 'r+')
  try {
    const { bytesWritten } = await file.write(Buffer.from(text), 0, undefined, bytes - TAIL.length)
    return bytes - TAIL.length + bytesWritten
  } finally {
    await file.close()
  }
}

async function begin(history: string, lines: readonly string[], state: Omit<HistoryState, 'bytes'>): Promise<HistoryState> {
  if (lines.length === 0) return { ...state, bytes: 0 }
  const text = fileText(lines)
  await writeWhole(history, text)
  return { ...state, bytes: Buffer.byteLength(text) }
}

function fileText(lines: readonly string[]): string {
  return `${HEAD}${lines.join(',\n')}${TAIL}`
}

async function stateOf(job: Job, interactions: number): Promise<HistoryState> {
  const found = await stat(placesOf(job).history).catch((): null => null)
  return { interactions, parts: (await partsOf(job)).length, bytes: found?.size ?? 0 }
}

/** What is damaged may still be the only copy of something. */
async function putAside(driver: Driver, job: Job, now: Date): Promise<void> {
  const { history } = placesOf(job)
  const aside = history.replace(/\.json$/, `.damaged-${stampOf(now)}.json`)
  const moved = await rename(history, aside).then(
    () => true,
    () => false,
  )
  if (moved) {
    driver.warn(new Problem('bad_input', `${history} was not as Troupe left it; it is kept as ${basename(aside)} and written anew`))
  }
  for (const part of await partsOf(job)) await rm(part)
}

async function partsOf({ directory }: Pick<Job, 'directory'>): Promise<string[]> {
  const names = await readdir(directory).catch((): string[] => [])
  return names
    .filter((name) => /^jobHistory\.\d{4}\.json\.gz$/.test(name))
    .toSorted()
    .map((name) => join(directory, name))
}

function partName({ directory }: Job, part: number): string {
  return join(directory, `jobHistory.${String(part).padStart(4, '0')}.json.gz`)
}
