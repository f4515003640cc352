import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Bench } from './report/bench.ts'

const dist = join(import.meta.dirname, '../web/dist')

export const bench: Bench = {
  name: 'script of the first page load',
  run: async () => {
    const bytes = [...firstLoad()].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file))).length, 0)
    return [{ what: 'script to open the chat, compressed', unit: 'kB', ours: bytes / 1000, budget: { at_most: 200 } }]
  },
}

/** Every script the browser needs before it can show the chat: what the page names, the chat screen, and all they import at once. */
function firstLoad(): Set<string> {
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  const entry = scriptsIn(page)
  const screens = entry.flatMap((file) => scriptsIn(readFileSync(join(dist, file), 'utf8'))).filter((file) => /chat-screen/.test(file))
  const wanted = [...entry, ...screens]
  const loaded = new Set<string>()
  for (let file = wanted.pop(); file !== undefined; file = wanted.pop()) {
    if (loaded.has(file)) continue
    loaded.add(file)
    wanted.push(...importedBy(readFileSync(join(dist, file), 'utf8')))
  }
  return loaded
}

function scriptsIn(text: string): string[] {
  return [...text.matchAll(/assets\/[\w.-]+\.js/g)].map(([file]) => file)
}

/** Static imports only: what is imported when it is needed does not hold up the first load. */
function importedBy(code: string): string[] {
  return [...code.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g)].map(([, file]) => `assets/${file}`)
}
