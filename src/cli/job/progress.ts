import { addUsage } from '../../agent/limits.ts'
import type { Usage } from '../../domain/entry.ts'
import type { RunEvent } from '../../domain/event.ts'
import { phaseOf, type Job } from '../../domain/job/job.ts'
import { seatFor } from '../../domain/job/flow.ts'
import { spentText, shorten, elapsedText } from '../../domain/text/format.ts'
import type { StepNews } from '../../jobs/run.ts'
import { stepLine } from './text.ts'
import { inLine, rehearsalNotice } from '../terminal.ts'

const EVERY_MS = 200

interface AtWork {
  job: Job
  since: number
  model: string
  tool: string
  usage: Usage
}

/** Shows what goes on while jobs run: on a terminal a line at its foot that is drawn again, elsewhere a line when a step begins and when it has ended. */
export function jobProgress() {
  const stream = process.stderr
  const drawn = stream.isTTY && process.env['TERM'] !== 'dumb'
  let current: AtWork | null = null
  let foot = ''
  let rehearsed = false

  /** Nothing is drawn that is there already: it would flicker. */
  function draw(): void {
    const now = current === null ? '' : shorten(footText(current), (stream.columns || 80) - 1) // a terminal that has not said its width says 0
    if (now !== foot) stream.write(`\r\x1B[2K${now}`)
    foot = now
  }

  function write(text: string): void {
    stream.write(drawn && foot !== '' ? `\r\x1B[2K${text}\n` : `${text}\n`)
    foot = ''
  }

  function onStep(job: Job, news: StepNews): void {
    const before = current
    current = news === 'begins' ? { job, since: performance.now(), model: '', tool: '', usage: job.usage } : null
    if (news === 'ended') write(stepLine(job, stream, [elapsedSince(before), spentOf(job), ...modelOf(before)]))
    if (news === 'begins' && !drawn) write(`${job.id}  ${whereText(job)} · ${spentOf(job)}`)
    if (drawn) draw()
  }

  function hear(event: RunEvent): void {
    if (current === null) return
    if (event.type === 'init') current.model = event.model
    if (event.type === 'init' && event.model === 'rehearsal' && !rehearsed) {
      write(rehearsalNotice)
      rehearsed = true
    }
    if (event.type === 'tool_use') current.tool = event.tool
    if (event.type === 'message') current.usage = addUsage(current.usage, event.usage)
  }

  const timer = drawn ? setInterval(draw, EVERY_MS).unref() : undefined
  function stop(): void {
    clearInterval(timer)
    current = null
    if (drawn) draw()
  }
  return { onStep, hear, stop }
}

/** Time and cost first, because the end of the line is cut on a narrow terminal. */
function footText(at: AtWork): string {
  const { job, since, tool, usage } = at
  const spent = spentText(usage, job.limits.max_cost_microusd)
  const doing = tool === '' ? [] : [inLine(tool)]
  return [elapsedText(performance.now() - since), spent, job.id, whereText(job), ...modelOf(at), ...doing].join(' · ')
}

function modelOf(at: AtWork | null): string[] {
  return at === null || at.model === '' ? [] : [inLine(at.model)]
}

/** `worker in phase design (1 of 2), round 1` */
function whereText(job: Job): string {
  const { name, number, of } = phaseOf(job)
  return `${seatFor(job.status) ?? 'nobody'} in phase ${inLine(name)}${of === 1 ? '' : ` (${number} of ${of})`}, round ${job.rounds + 1}`
}

function spentOf({ usage, limits }: Job): string {
  return spentText(usage, limits.max_cost_microusd)
}

function elapsedSince(before: AtWork | null): string {
  return elapsedText(before === null ? 0 : performance.now() - before.since)
}
