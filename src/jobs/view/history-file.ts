import { closeSync, existsSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rename, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { canonicalJson } from '../../domain/text/canonical-json.ts'
import { JobHistory, type Interaction } from '../../domain/job/history.ts'
import type { Job } from '../../domain/job/job.ts'
import { Problem } from '../../domain/problem.ts'
import { readWhole } from '../../sandbox/files/open-inside.ts'
import { writeWhole } from '../../sandbox/files/write-whole.ts'
import type { Driver } from '../../store/driver.ts'
import { jobFilePlaces, fileTime } from './files.ts'
import { everyInteraction } from './history.ts'

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
  const { history } = jobFilePlaces(job)
  const { interactions, parts, bytes } = job.history
  const line = JSON.stringify(interaction)
  if (bytes === 0 && !existsSync(history)) return begin(history, [line], { interactions: interactions + 1, parts })
  const file = openAsLeft(history, bytes)
  if (file === null) return rebuildHistory(driver, job, now, partBytes)
  try {
    const fits = bytes + line.length <= partBytes
    if (fits) return { interactions: interactions + 1, parts, bytes: writeAtEnd(file, bytes, `,\n${line}${TAIL}`) }
    await writeWhole(partName(job, parts + 1), await promisify(gzip)(await readWhole(file)))
  } finally {
    closeSync(file)
  }
  return begin(history, [line], { interactions: interactions + 1, parts: parts + 1 })
}

/** Writes the whole history again from the store. What was there and did not say the same is kept beside it. */
export async function rebuildHistory(driver: Driver, job: Job, now: Date, partBytes = PART_BYTES): Promise<HistoryState> {
  const same = await countOfSame(driver, job).catch((): null => null)
  if (same !== null) return stateOf(job, same)
  await putAside(driver, job, now)
  let [interactions, parts, lines, size] = [0, 0, [] as string[], 0]
  for await (const { interaction } of everyInteraction(driver, job.id)) {
    const line = JSON.stringify(interaction)
    if (lines.length > 0 && size + line.length > partBytes) {
      await writeWhole(partName(job, ++parts), await promisify(gzip)(fileText(lines)))
      ;[lines, size] = [[], 0]
    }
    lines.push(line)
    size += line.length + 2
    interactions += 1
  }
  return begin(jobFilePlaces(job).history, lines, { interactions, parts })
}

/** How many interactions there are, where the files say the same as the store; else null. */
async function countOfSame(driver: Driver, job: Job): Promise<number | null> {
  let count = 0
  const inFiles = interactionsInFiles(job)
  for await (const { interaction } of everyInteraction(driver, job.id)) {
    const found = await inFiles.next()
    if (found.done || canonicalJson(found.value) !== canonicalJson(interaction)) return null
    count += 1
  }
  return (await inFiles.next()).done ? count : null
}

/** Every interaction in the files of a job, across its parts; a damaged file is refused with its name. Reading changes nothing. */
export async function* interactionsInFiles(job: Pick<Job, 'directory'>): AsyncGenerator<Interaction, void> {
  const { history } = jobFilePlaces(job)
  for (const path of [...(await partsOf(job)), history]) {
    const bytes = await readFile(path).catch((): null => null)
    if (bytes === null) continue
    yield* interactionsIn(path, path.endsWith('.gz') ? await unzipped(path, bytes) : bytes)
  }
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
    throw new Problem('bad_input', `${path} is damaged; recover the job to rewrite it from the store`, {
      cause,
      next: [{ operation: 'job.recover', input: { job: 'JOB' } }],
    })
  }
}

/** The file, if it has the size and the end we left it with. An edit that keeps both is found by `recover`, which reads all of it. */
function openAsLeft(history: string, bytes: number): number | null {
  const file = openOrNothing(history)
  if (file === null) return null
  const end = Buffer.alloc(TAIL.length)
  if (bytes > 0 && fstatSync(file).size === bytes) readSync(file, end, 0, end.length, bytes - end.length)
  if (end.toString('utf8') === TAIL) return file
  closeSync(file)
  return null
}

function openOrNothing(path: string): number | null {
  try {
    return openSync(path, 'r+')
  } catch {
    return null // gone, or something else in its place: it is put aside and written again
  }
}

/** One write that begins where the closing brackets stand. */
function writeAtEnd(file: number, bytes: number, text: string): number {
  return bytes - TAIL.length + writeSync(file, Buffer.from(text), 0, undefined, bytes - TAIL.length)
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
  const found = await stat(jobFilePlaces(job).history).catch((): null => null)
  return { interactions, parts: (await partsOf(job)).length, bytes: found?.size ?? 0 }
}

/** What is damaged may still be the only copy of something. */
async function putAside(driver: Driver, job: Job, now: Date): Promise<void> {
  const { history } = jobFilePlaces(job)
  const damaged = [...(await partsOf(job)), history].filter((path) => existsSync(path))
  if (damaged.length === 0) return
  const aside = await mkdtemp(join(job.directory, `jobHistory.damaged-${fileTime(now)}-`))
  for (const path of damaged) await rename(path, join(aside, basename(path)))
  driver.warn(new Problem('bad_input', `${history} was not as Troupe left it; it is kept in ${basename(aside)} and written again`))
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
