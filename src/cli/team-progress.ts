import type { ActivityLine } from '../board/activity.ts'
import type { Desk } from '../board/desk.ts'
import { followTeam, type TeamProgress } from '../board/team/progress.ts'
import type { Station } from '../board/team/station.ts'
import { columns, paint, print, say, shown } from './terminal.ts'

const EVERY_MS = 250

/** Shows a team at work: a picture that is drawn anew on a terminal, a line for each thing that happens elsewhere, JSON lines when asked. */
export function teamProgress(desk: Desk, json: boolean, stream: NodeJS.WriteStream = process.stderr) {
  const following = followTeam(desk)
  const drawn = json ? null : stream.isTTY ? picture(stream) : null
  const timer = drawn === null ? undefined : setInterval(() => void following.look().then(drawn.draw), EVERY_MS)

  function write(text: string, data: object): void {
    if (json) return print(JSON.stringify(data))
    if (drawn === null) return say(text)
    drawn.above(text)
  }

  function tell(lines: readonly ActivityLine[]): void {
    for (const line of lines) write(activityText(line), { type: 'activity', ...line })
  }

  const listener: Pick<Station, 'onRun' | 'say'> = {
    onRun: (agent, task, event) => {
      following.hear(agent, task, event)
      if (json && (event.type === 'tool_use' || event.type === 'error')) print(JSON.stringify({ agent, task, ...event }))
    },
    say: (text) => write(text, { type: 'notice', text }),
  }
  return { listener, tell, look: following.look, stop: () => clearInterval(timer) }
}

function activityText({ timestamp, agent, action, task, detail }: ActivityLine): string {
  const about = task === undefined ? '' : ` ${task}`
  return `${paint('dim', timestamp.slice(11, 19), process.stderr)} ${agent} ${action}${about}: ${shown(detail.split('\n')[0] ?? '')}`
}

/** The lines at the foot of the terminal; what happens is written above them. */
function picture(stream: NodeJS.WriteStream) {
  let lines: string[] = []
  const clear = () => lines.length > 0 && stream.write(`\x1B[${lines.length}A\x1B[0J`)
  const write = () => lines.length > 0 && stream.write(`${lines.join('\n')}\n`)
  return {
    above: (text: string) => {
      clear()
      stream.write(`${text}\n`)
      write()
    },
    draw: (progress: TeamProgress) => {
      clear()
      lines = progressText(progress)
        .split('\n')
        .map((line) => line.slice(0, (stream.columns ?? 80) - 1))
      write()
    },
  }
}

/** Tasks by state, who is at what, cost and time. */
export function progressText({ tasks, agents, cost_microusd, elapsed_ms }: TeamProgress): string {
  const states = Object.entries(tasks).map(([state, count]) => `${state} ${count}`)
  const cost = cost_microusd === null ? 'cost unknown' : `$${(cost_microusd / 1_000_000).toFixed(2)}`
  const head = [...states, cost, `${Math.round(elapsed_ms / 1_000)} s`].join(' · ')
  const working = agents.map(({ agent, task, tool }) => [agent, task ?? '', shown(tool)])
  return [head, ...(working.length === 0 ? [] : [columns(working)])].join('\n')
}
