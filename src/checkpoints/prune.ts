import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { CheckpointFile } from './file.ts'
import type { CheckpointSettings } from './workspace.ts'

const DAY_MS = 24 * 60 * 60 * 1_000

/** From here on the oldest go, and so many that there is room for a while. */
const FULL = 0.8
const EMPTY_ENOUGH = 0.6

/** Forgets what is too old, and where room is short the oldest first. Once a day, unless room is short. */
export function prune(file: CheckpointFile, settings: CheckpointSettings, now: Date): void {
  const last = file.prepared(`select value from meta where key = 'pruned'`).get()?.['value']
  const full = bytesIn(settings.folder) > settings.maxBytes * FULL
  if (!full && last !== undefined && now.getTime() - Date.parse(String(last)) < DAY_MS) return
  removeUnused(settings, file, now)
  file.transaction(() => {
    removeUpTo(file, `at < ?`, new Date(now.getTime() - settings.maxAgeMs).toISOString())
    removeLoose(file)
    file.prepared(`insert or replace into meta values ('pruned', ?)`).run(now.toISOString())
  })
  while (contentBytes(file) > settings.maxBytes * EMPTY_ENOUGH && removeOldest(file)) continue
  file.prepared('pragma incremental_vacuum').all()
  file.prepared('pragma wal_checkpoint(truncate)').all()
}

/** What the checkpoints of all workspaces take. */
export function bytesIn(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0)
}

/** Workspaces in which nothing happened for so long, with all that was kept of them. */
function removeUnused({ folder, maxAgeMs }: CheckpointSettings, { file }: CheckpointFile, now: Date): void {
  const times = readdirSync(folder).map((name) => ({
    name,
    at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? Infinity,
  }))
  const used = new Set(times.flatMap(({ name, at }) => (now.getTime() - at < maxAgeMs ? [name.split('.')[0]] : [])))
  for (const { name } of times)
    if (!used.has(name.split('.')[0]) && join(folder, name) !== file) rmSync(join(folder, name), { force: true })
}

/** A tenth of the checkpoints, at least one; false when there are none. */
function removeOldest(file: CheckpointFile): boolean {
  const count = Number(file.prepared('select count(*) as count from checkpoint where done = 1').get()?.['count'])
  if (count === 0) return false
  const rows = file.prepared('select number from checkpoint where done = 1 order by number limit ?').all(Math.ceil(count / 10))
  file.transaction(() => {
    removeUpTo(file, 'number <= ?', Number(rows.at(-1)?.['number']))
    removeLoose(file)
  })
  return true
}

function removeUpTo(file: CheckpointFile, which: 'at < ?' | 'number <= ?', bound: string | number): void {
  file.prepared(`delete from change where number in (select number from checkpoint where done = 1 and ${which})`).run(bound)
  file.prepared(`delete from checkpoint where done = 1 and ${which}`).run(bound)
}

/** Content that neither the tree nor a checkpoint needs. */
function removeLoose(file: CheckpointFile): void {
  file
    .prepared(
      `delete from content where hash not in (select hash from tree where hash is not null
       union select before_hash from change where before_hash is not null union select after_hash from change where after_hash is not null)`,
    )
    .run()
}

function contentBytes(file: CheckpointFile): number {
  return Number(file.prepared('select coalesce(sum(length(data)), 0) as bytes from content').get()?.['bytes'])
}
