// Breaks the code under our most important rules, one at a time, in a copy of the committed tree, and asks whether a test notices.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mutants } from './mutants.mjs'
import { pinnedNode, root } from './steps.mjs'

const asked = process.argv.slice(2)
const chosen = mutants.filter(({ rule }) => asked.length === 0 || asked.includes(rule))
const copy = mkdtempSync(join(tmpdir(), 'troupe-mutants-'))
try {
  layOut(copy)
  const survivors = chosen.filter((mutant) => !isNoticed(mutant))
  console.log(`${chosen.length - survivors.length} of ${chosen.length} mutants were noticed`)
  process.exitCode = survivors.length === 0 && chosen.length > 0 ? 0 : 1
} finally {
  rmSync(copy, { recursive: true, force: true })
}

function layOut(folder) {
  chmodSync(folder, 0o755) // the sandbox is tried as an ordinary user too, who has to be able to read the code
  execFileSync('git', ['clone', '-q', root, folder])
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
}

/** A mutant counts as noticed only if its tests pass without it and fail with it. */
function isNoticed({ rule, what, file, find, put, tests }) {
  const path = join(copy, file)
  const original = readFileSync(path, 'utf8')
  if (original.split(find).length !== 2) throw new Error(`${rule}: ${file} holds ${JSON.stringify(find)} not exactly once; mend the mutant`)
  if (!passes(tests)) throw new Error(`${rule}: ${tests.join(' ')} is red before anything was broken`)
  writeFileSync(
    path,
    original.replace(find, () => put),
  )
  const noticed = !passes(tests)
  writeFileSync(path, original)
  console.log(`${noticed ? 'noticed ' : 'SURVIVED'} ${rule}: ${what} (${file})`)
  return noticed
}

function passes(tests) {
  return spawnSync(pinnedNode, ['--test', ...tests], { cwd: copy, timeout: 300_000 }).status === 0
}
