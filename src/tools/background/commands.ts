import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf, Problem } from '../../domain/problem.ts'
import { unsureChars } from '../../domain/text/mask.ts'
import { boundedOutput } from '../../sandbox/process/bounded-output.ts'
import type { Command, CommandResult } from '../../sandbox/sandbox.ts'

/** A command that goes on while its run does other things. */
export interface BackgroundCommand {
  readonly command: string
  readonly startedAt: number
  /** How it ended; null while it runs. */
  ended(): CommandResult | Problem | null
  /** Waits for something new: output, or its end. */
  next(ms: number, signal: AbortSignal): Promise<void>
  /** What it printed since the last time, as far as no secret may go on in what comes next. */
  take(secrets: readonly string[]): string
  /** What is still to be done when it has ended, and a line to tell of it. */
  whenOver(finish: () => Promise<string>): void
  /** Once it has ended and all is done; resolves to what was told. */
  over(): Promise<string>
  stop(): void
}

/** How a command is run so that its output is heard and it can be stopped. */
type Start = (heard: Required<Pick<Command, 'signal' | 'onOutput' | 'heardBytes'>>) => Promise<CommandResult>

export type BackgroundCommands = ReturnType<typeof backgroundCommands>

/** How many a run may have at once, and how much of what each prints is kept from one look to the next. */
const AT_ONCE = 8
const UNREAD_BYTES = 60_000

/** The background commands of one run. All of them end with it. */
export function backgroundCommands() {
  const commands = new Map<string, BackgroundCommand>()
  const running = () => [...commands].flatMap(([name, command]) => (command.ended() === null ? [name] : []))
  let closed = false
  return {
    running,
    find(name: string): BackgroundCommand {
      const found = commands.get(name)
      if (found !== undefined) return found
      const known = commands.size === 0 ? 'none is running' : `there are ${[...commands.keys()].join(', ')}`
      throw new Problem('not_found', `there is no background command ${name}; ${known}. A command ends with the run that started it`)
    },
    start(name: string, command: string, run: Start): BackgroundCommand {
      if (closed) throw new Problem('stopped', 'the run is over, and so are its commands')
      if (running().includes(name)) throw new Problem('conflict', `${name} is still running; stop it first, or choose another name`)
      if (running().length >= AT_ONCE)
        throw new Problem('too_large', `${AT_ONCE} commands run in the background already: ${running().join(', ')}; stop one first`)
      const started = begin(command, run)
      commands.set(name, started)
      return started
    },
    /** A command whose end has been told is forgotten. */
    forget: (name: string) => commands.delete(name),
    /** Ends them all, and comes back when nothing of them is left. */
    async end(): Promise<void> {
      closed = true
      for (const command of commands.values()) command.stop()
      await Promise.all([...commands.values()].map((command) => command.over()))
    },
  }
}

function begin(command: string, run: Start): BackgroundCommand {
  const stop = new AbortController()
  let news = Promise.withResolvers<void>()
  let unread = boundedOutput(UNREAD_BYTES)
  let ended: CommandResult | Problem | null = null
  const onOutput = (chunk: string) => {
    unread.add(Buffer.from(chunk))
    news.resolve()
  }
  const exited = run({ signal: stop.signal, onOutput, heardBytes: Infinity })
    .catch((error: unknown) => (error instanceof Problem ? error : new Problem('internal', messageOf(error), { cause: error })))
    .then((result) => {
      ended = result
      news.resolve()
      return ''
    })
  let over = exited
  return {
    command,
    startedAt: performance.now(),
    ended: () => ended,
    next: async (ms, signal) => {
      if (unread.seenBytes() > 0 || ended !== null) return
      news = Promise.withResolvers()
      await Promise.race([news.promise, sleep(ms, undefined, { signal, ref: false }).catch(() => undefined)])
    },
    take: (secrets) => {
      const text = unread.text()
      const sure = ended === null ? text.length - unsureChars(text, secrets) : text.length
      unread = boundedOutput(UNREAD_BYTES)
      if (sure < text.length) unread.add(Buffer.from(text.slice(sure)))
      return text.slice(0, sure)
    },
    whenOver: (finish) => {
      over = exited.then(finish).catch((error: unknown) => `checkpoint: what changed was not recorded: ${messageOf(error)}`)
    },
    over: () => over,
    stop: () => stop.abort(),
  }
}
