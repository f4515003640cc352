import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.mjs'

/** Whether a built file is younger than everything it was built from. A folder counts too: it changes when a file in it goes. */
export function isFresh(built, sources) {
  const path = join(root, built)
  return existsSync(path) && sources.every((source) => newest(join(root, source)) <= statSync(path).mtimeMs)
}

function newest(path) {
  const stat = statSync(path)
  if (!stat.isDirectory()) return stat.mtimeMs
  const inside = readdirSync(path).filter((name) => name !== 'dist')
  return inside.reduce((time, name) => Math.max(time, newest(join(path, name))), stat.mtimeMs)
}
