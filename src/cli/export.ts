import { open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { refuseExisting } from '../sandbox/files/refuse-existing.ts'
import { exportStore } from '../store/backup.ts'
import type { Driver } from '../store/driver.ts'
import { unwritable } from '../sandbox/files/unwritable.ts'
import { withStore } from './open/store.ts'
import { printResult } from './terminal.ts'
import { wantsJson } from './verb.ts'
import packageJson from '../../package.json' with { type: 'json' }

/** `troupe export FILE`: everything in the store, in one file, also while Troupe is at work. */
export function define(command: Command): void {
  command.argument('<file>', 'where to write it').action(async (file: string) => {
    refuseExisting(file)
    const target = resolve(file)
    const records = await withStore((driver) => writeExport(driver, target))
    const told = `Wrote ${records} lines to ${target}. It holds prompts and answers: keep it as safe as the store.`
    printResult(wantsJson(command), { file: target, lines: records }, told)
  })
}

/** Written beside its place and moved there when whole, so that a cut-off export is never taken for one. */
async function writeExport(driver: Driver, target: string): Promise<number> {
  const unfinished = `${target}.unfinished`
  try {
    const lines = await writeLines(driver, unfinished)
    await rename(unfinished, target)
    return lines
  } catch (error) {
    throw unwritable(target, error)
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function writeLines(driver: Driver, file: string): Promise<number> {
  const out = await open(file, 'w', 0o600)
  try {
    return await exportStore(driver, packageJson.version, (line) => out.appendFile(line))
  } finally {
    await out.close()
  }
}
