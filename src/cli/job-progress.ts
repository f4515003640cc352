import type { RunEvent } from '../domain/event.ts'
import type { Job } from '../domain/job.ts'
import { seatFor } from '../domain/job-flow.ts'
import { dollars } from '../jobs/limits.ts'
import { stepLine } from './job-text.ts'
import { say, shown } from './terminal.ts'

const EVERY_MS = 200

/** Shows on a terminal what is going on while jobs run: phase, round, elapsed, cost against limit. Elsewhere only how each step ended. */
export function jobProgress(stream: NodeJS.WriteStream = process.stderr) {
  let current: { job: Job; since: number; doing: string; spent: number } | null = null
  const draw = () => {
    if (current && stream.isTTY) stream.write(`\r\x1B[2K${progressLine(current)}`)
  }
  const timer = setInterval(draw, EVERY_MS).unref()

  function onStep(job: Job, what: 'begins' | 'ended'): void {
    current = what === 'begins' ? { job, since: performance.now(), doing: '', spent: job.usage.cost_microusd ?? 0 } : null
    if (stream.isTTY) stream.write('\r\x1B[2K')
    if (what === 'ended') say(stepLine(job))
    else draw()
  }

  function hear(event: RunEvent): void {
    if (!current) return
    if (event.type === 'tool_use') current.doing = event.tool
    if (event.type === 'message') current.spent += event.usage.cost_microusd ?? 0
  }

  return { onStep, hear, stop: () => clearInterval(timer) }
}

function progressLine({ job, since, doing, spent }: { job: Job; since: number; doing: string; spent: number }): string {
  const { max_cost_microusd } = job.limits
  const cost = max_cost_microusd === null ? dollars(spent) : `${dollars(spent)} of ${dollars(max_cost_microusd)}`
  const elapsed = `${((performance.now() - since) / 1000).toFixed(0)} s`
  return `${job.id} · ${seatFor(job.status) ?? ''} · phase ${shown(job.current_phase ?? 'default')} · round ${job.rounds + 1} · ${elapsed} · ${cost}${doing === '' ? '' : ` · ${shown(doing)}`}`
}
