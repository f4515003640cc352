import { elapsedText, shorten } from '../domain/text/format.ts'

const SIGNS = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const EVERY_MS = 120

/** A sign of life on a terminal while somebody is waited for. */
export interface Spinner {
  /** Shows what is waited for, from the next moment on. */
  wait: (what: string) => void
  /** Takes the sign away, before anything else is written. */
  rest: () => void
}

/** A line at the foot of a terminal, erased before anything is written in its place. Where there is no terminal nothing is written at all. */
export function spinner(stream: NodeJS.WriteStream = process.stderr): Spinner {
  const drawn = stream.isTTY && process.env['TERM'] !== 'dumb'
  let timer: NodeJS.Timeout | undefined
  let [since, ticks, isShown, awaited] = [0, 0, false, '']

  function draw(): void {
    const sign = SIGNS[ticks++ % SIGNS.length]
    const line = `${sign} ${awaited} ${elapsedText(performance.now() - since)}`
    stream.write(`\r\x1B[2K${shorten(line, (stream.columns || 80) - 1)}`) // a terminal that has not said its width says 0
    isShown = true
  }
  function rest(): void {
    clearInterval(timer)
    timer = undefined
    if (isShown) stream.write('\r\x1B[2K')
    isShown = false
  }
  function wait(what: string): void {
    if (!drawn) return
    rest()
    ;[since, awaited] = [performance.now(), what]
    timer = setInterval(draw, EVERY_MS).unref()
  }
  return { wait, rest }
}
