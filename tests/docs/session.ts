import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Step } from './console-block.ts'
import { difference } from './shown.ts'

const HANGS_AFTER_MS = 120_000

/** A person's terminal: an empty home, a folder to begin in, and commands that follow one another in it. */
export interface Session {
  /** Runs a command; says what was not as the page says, or null. */
  run(step: Step): Promise<string | null>
  /** Saves a file in the folder the terminal is in. */
  save(path: string, text: string): Promise<void>
}

/** A terminal in a home of its own. Between two commands its folder and its variables are kept in a file. */
export function openSession(home: string, folder: string, path: string, more: Record<string, string>): Session {
  mkdirSync(join(home, 'tmp'), { recursive: true })
  const state = join(home, 'tmp', 'shell-state')
  writeFileSync(state, `cd '${folder}'\n`)
  const env = {
    PATH: path,
    HOME: home,
    TMPDIR: join(home, 'tmp'),
    LANG: 'C.UTF-8',
    USER: 'ann',
    // Whoever has git has told it their name.
    GIT_AUTHOR_NAME: 'Ann',
    GIT_AUTHOR_EMAIL: 'ann@example.org',
    GIT_COMMITTER_NAME: 'Ann',
    GIT_COMMITTER_EMAIL: 'ann@example.org',
    ...more,
  }
  const keep = `code=$?; { export -p; printf "cd '%s'\\n" "$PWD"; } > '${state}'; exit $code`
  const begin = (command: string): ChildProcess =>
    spawn('sh', ['-c', `trap : INT; set -a; . '${state}'; exec 2>&1\n${command}\n${keep}`], {
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
  return {
    run: (step) => follow(begin(step.command), step),
    save: async (file, text) => {
      const child = begin(`mkdir -p "$(dirname '${file}')" && cat > '${file}'`)
      child.stdin?.end(text)
      await once(child, 'exit')
    },
  }
}

/** Plays a step to its end; says what was not as the page says, or null. */
async function follow(child: ChildProcess, step: Step): Promise<string | null> {
  const terminal = listen(child, step)
  const watchdog = setTimeout(() => signal(child, 'SIGKILL'), HANGS_AFTER_MS)
  const [code] = await once(child, 'close')
  clearTimeout(watchdog)
  signal(child, 'SIGKILL') // what it left running in the background
  const wrong = difference(step.shown, terminal.text())
  if (wrong !== null) return wrong
  if (step.stays ? code === 0 || code === 130 : code === step.code) return null
  return `it should end with ${step.stays ? '0 or 130' : step.code} but ends with ${code ?? 'a signal'}:\n${terminal.text()}`
}

/** Types each line when the program prompts for it, and interrupts what stays once it has shown what the page says. */
function listen(child: ChildProcess, step: Step): { text: () => string } {
  let text = ''
  const waiting = [...step.typed]
  if (waiting.length === 0) child.stdin?.end()
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
    if (waiting.length > 0 && text.endsWith('› ')) {
      const line = waiting.shift() ?? ''
      text += `${line}\n` // a terminal shows what is typed
      child.stdin?.write(`${line}\n`)
      if (waiting.length === 0) child.stdin?.end()
    }
    if (step.stays && difference(step.shown, text) === null) signal(child, 'SIGINT')
  })
  return { text: () => text }
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return // it was never started
  try {
    process.kill(-pid, name)
  } catch {
    // the whole group has ended already
  }
}
