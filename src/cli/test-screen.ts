import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import xterm from '@xterm/headless'
import { shellWord } from '../sandbox/process/shell-word.ts'
import type { Cleanup } from '../sandbox/test-folder.ts'
import { until } from '../sandbox/test-until.ts'
import { launcher, type Account } from './test-account.ts'

interface Size {
  cols: number
  rows: number
}

/** A command of ours behind a terminal that is really drawn: keys go in, and what a person would see comes out. */
export function onScreen(t: Cleanup, account: Account, args: readonly string[], more: object = {}, size: Size = { cols: 80, rows: 30 }) {
  const device = join(account.home, 'device')
  const child = started(account, args, more, `stty cols ${size.cols} rows ${size.rows}; tty > ${shellWord(device)}; `)
  t.after(async () => void child.kill('SIGKILL'))
  const terminal = new xterm.Terminal({ ...size, scrollback: 5_000, allowProposedApi: true })
  let raw = ''
  let drawn = Promise.resolve()
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    raw += chunk
    drawn = new Promise((resolve) => terminal.write(chunk, resolve))
  })
  terminal.onData((reply) => child.stdin.writable && child.stdin.write(reply)) // what a terminal answers when it is asked what it can do
  const screen = () => linesFrom(terminal, terminal.buffer.active.baseY)
  const all = () => linesFrom(terminal, 0)
  return {
    type: (keys: string) => void child.stdin.write(keys),
    /** What is in sight. */
    screen,
    /** The same with all that has scrolled away. */
    all,
    /** Every byte that came. */
    raw: () => raw,
    shows: (words: string | RegExp) => until(() => (typeof words === 'string' ? all().includes(words) : words.test(screen()))),
    resize: async (to: Size) => {
      await promisify(execFile)('stty', ['-F', readFileSync(device, 'utf8').trim(), 'cols', String(to.cols), 'rows', String(to.rows)])
      terminal.resize(to.cols, to.rows)
    },
    ended: once(child, 'close').then(async ([code]) => {
      await drawn
      return Number(code)
    }),
  }
}

function started({ project: cwd, env }: Account, args: readonly string[], more: object, before: string) {
  const line = [launcher, ...args].map(shellWord).join(' ')
  return spawn('script', ['-qfec', before + line, '/dev/null'], { cwd, env: { ...env, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...more } })
}

function linesFrom(terminal: xterm.Terminal, first: number): string {
  const { active } = terminal.buffer
  const lines = Array.from(
    { length: active.length - first },
    (_, at) =>
      active
        .getLine(first + at)
        ?.translateToString()
        .trimEnd() ?? '',
  )
  return lines.join('\n')
}
