import { elapsedText, shorten } from '../domain/text/format.ts'

const SIGNS = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'
const EVERY_MS = 120

/** Shorter than this nobody wonders, and a sign would only flicker. */
const UNNOTICED_MS = 700

/** A sign of life on a terminal while somebody is waited for. */
export interface Spinner {
  /** Shows what is waited for, from the next moment on. */
  wait: (what: string) => void
  /** Takes the sign away, before anything else is written. */
  rest: () => void
}

let drawnOn: NodeJS.WriteStream | null = null

/** Takes away the sign that is on the terminal now, for whoever writes while somebody else waits. It comes back by itself. */
export function makeRoom(): void {
  drawnOn?.write('\r\x1B[2K')
}

/** A line at the foot of a terminal, erased before anything is written in its place. Where there is no terminal nothing is written at all. */
export function spinner(stream: NodeJS.WriteStream = process.stderr): Spinner {
  const drawn = stream.isTTY && process.env['TERM'] !== 'dumb'
  let timer: NodeJS.Timeout | undefined
  let [since, ticks, isShown, awaiting] = [0, 0, false, '']

  function draw(): void {
    const sign = SIGNS[ticks++ % SIGNS.length]
    const line = `${sign} ${awaiting} ${elapsedText(performance.now() - since)}`
    stream.write(`\r\x1B[2K${shorten(line, (stream.columns || 80) - 1)}`) // a terminal that has not said its width says 0
    isShown = true
    drawnOn = stream
  }
  function rest(): void {
    clearInterval(timer)
    timer = undefined
    if (isShown) stream.write('\r\x1B[2K')
    isShown = false
    drawnOn = null
  }
  function wait(what: string): void {
    if (!drawn) return
    rest()
    ;[since, awaiting] = [performance.now(), what]
    timer = setInterval(draw, EVERY_MS).unref()
  }
  return { wait, rest }
}

/** Waits for some work, with a sign of life from the moment on in which somebody at the terminal would miss one. */
export async function awaited<Result>(what: string, work: Promise<Result>, stream?: NodeJS.WriteStream): Promise<Result> {
  const { wait, rest } = spinner(stream)
  const begin = setTimeout(() => wait(what), UNNOTICED_MS).unref()
  try {
    return await work
  } finally {
    clearTimeout(begin)
    rest()
  }
}
