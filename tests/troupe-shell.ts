import { createInterface } from 'node:readline/promises'
import { setImmediate } from 'node:timers/promises'
import { runCommandLine } from '../src/cli/program.ts'
import type { Ended } from '../src/cli/test-account.ts'

/** Runs the commands it is told, a line of arguments each, in one process: a hundred commands cost one start. */
async function obeyLines(): Promise<void> {
  const tell = process.stdout.write.bind(process.stdout)
  for await (const line of createInterface(process.stdin)) {
    const heard = { stdout: '', stderr: '' }
    for (const name of ['stdout', 'stderr'] as const) {
      const hear = (text: string) => {
        heard[name] += text
        return true
      }
      Object.assign(process[name], { write: hear })
    }
    process.exitCode = 0
    process.stdout.removeAllListeners('error') // each command listens again, as in a process of its own
    const code = await runCommandLine(JSON.parse(line) as string[], 'test') // written by the journey
    await setImmediate() // a warning is told a moment later, as it is before a process ends
    tell(`${JSON.stringify({ code, ...heard } satisfies Ended)}\n`)
  }
  process.exitCode = 0
}

if (process.argv[1] === import.meta.filename) await obeyLines()
