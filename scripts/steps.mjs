// Plain JavaScript: these scripts run on Node 20 before anything is installed.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The pinned Node, installed from npm. */
export const pinnedNode = join(root, 'node_modules', 'node', 'bin', 'node')

/** A program that npm installed. */
export const tool = (name) => join(root, 'node_modules', '.bin', name)

/** Says what is done, does it, says how long it took; a step that throws says so and goes on throwing. */
export async function step(title, work) {
  const started = Date.now()
  process.stderr.write(`▸ ${title}\n`)
  try {
    const result = await work()
    process.stderr.write(`  done in ${seconds(started)}\n`)
    return result
  } catch (error) {
    process.stderr.write(`  failed after ${seconds(started)}: ${error.message}\n`)
    throw error
  }
}

/** Runs a program with our own output; throws when it does not end with 0. */
export function run(program, args = [], options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, stdio: 'inherit', env: withPinnedNode(), ...options })
    stopWithUs(child)
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      if (code === 0) return resolve(undefined)
      reject(new Error(`${[program.replace(`${root}/`, ''), ...args].join(' ')} ended with ${signal ?? code}`))
    })
  })
}

/** Time for a program that is asked to end to say what it was doing. */
const LAST_WORDS_MS = 10_000

/** Runs a program without showing what it says, and tells that, whether it ended with 0 and how long it took; killed with all it started after so long. */
export function runQuietly(program, args, env, limitMs) {
  const started = Date.now()
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...withPinnedNode(), ...env },
      detached: true,
    })
    const output = []
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => output.push(chunk))
    const killAll = (signal) => {
      try {
        process.kill(-Number(child.pid), signal)
      } catch {
        // nothing of it is left
      }
    }
    stopWithUs(child, killAll)
    let hung = false
    const limit = setTimeout(() => {
      hung = true
      child.kill('SIGTERM')
      setTimeout(() => killAll('SIGKILL'), LAST_WORDS_MS)
    }, limitMs)
    child.on('error', reject)
    child.on('close', (code) => {
      clearTimeout(limit)
      resolve({ ok: code === 0 && !hung, output: Buffer.concat(output).toString(), took: seconds(started) })
    })
  })
}

/** Ends the script with 1 and one sentence instead of a stack. */
export async function main(work) {
  try {
    if (Number(process.versions.node.split('.')[0]) < 20)
      throw new Error(`Node 20 or newer is needed; this is ${process.version}. See https://nodejs.org`)
    await work()
  } catch (error) {
    process.stderr.write(`\n✘ ${error.message}\n`)
    process.exitCode = 1
  }
}

/** Asked to stop, we stop the program and end with it. */
function stopWithUs(child, kill = (signal) => child.kill(signal)) {
  let asked = false
  const stop = (signal) => {
    asked = true
    kill(signal)
  }
  for (const name of ['SIGINT', 'SIGTERM']) process.on(name, stop)
  child.on('exit', (code) => {
    for (const name of ['SIGINT', 'SIGTERM']) process.off(name, stop)
    if (asked) process.exit(code ?? 130)
  })
}

/** Our environment, in which the pinned Node comes first. */
export function withPinnedNode() {
  return { ...process.env, PATH: `${join(root, 'node_modules', '.bin')}:${process.env.PATH}` }
}

function seconds(started) {
  return `${((Date.now() - started) / 1000).toFixed(1)} s`
}
