import type { ActivityLine } from '../../board/activity.ts'
import type { BoardWorkspace } from '../../board/context.ts'
import { boardOperations } from '../../board/operations.ts'
import { followTeam, type TeamProgress } from '../../board/team/progress.ts'
import type { TeamContext } from '../../board/team/context.ts'
import { spentText, shortIds, shorten, elapsedText } from '../../domain/text/format.ts'
import { suggested } from '../operation-commands.ts'
import { columns, paint, printJsonLine, say, shown } from '../terminal.ts'

const EVERY_MS = 250

/** Shows a team at work: a picture that is drawn again on a terminal, a line for each thing that happens elsewhere, JSON lines when asked. */
export function teamProgress(board: BoardWorkspace, json: boolean, stream: NodeJS.WriteStream = process.stderr) {
  const following = followTeam(board)
  const drawn = !json && stream.isTTY && process.env['TERM'] !== 'dumb' ? picture(stream) : null
  const draw = () => void following.look().then(drawn?.draw, () => undefined) // a store that is away is asked again
  const timer = drawn === null ? undefined : setInterval(draw, EVERY_MS)

  function write(text: string, data: object): void {
    if (json) return printJsonLine(data)
    if (drawn === null) return say(text)
    drawn.above(text)
  }

  function tell(lines: readonly ActivityLine[]): void {
    for (const line of lines) write(activityText(line), { type: 'activity', ...line })
  }

  const listener: Pick<TeamContext, 'onRun' | 'say'> = {
    onRun: (agent, task, event) => {
      following.hear(agent, task, event)
      if (json && (event.type === 'tool_use' || event.type === 'error')) printJsonLine({ agent, task, ...event })
    },
    say: (text, next = []) => write(shown(suggested(boardOperations, { text, next })), { type: 'notice', text, next }),
  }
  const stop = () => {
    clearInterval(timer)
    drawn?.leave()
  }
  return { listener, tell, look: following.look, stop }
}

/** A failure of several lines begins with what failed and ends with why. */
function inShort(detail: string): string {
  const [first = '', ...rest] = detail.split('\n').filter((line) => line.trim() !== '')
  return [first, ...rest.slice(-LAST_LINES)].join(rest.length > LAST_LINES ? ' … ' : ' ⏎ ')
}

const LAST_LINES = 2

function activityText({ timestamp, agent, action, task, detail }: ActivityLine): string {
  const about = task === undefined ? '' : ` ${task}`
  const said = shortIds(shown(inShort(detail)))
  return `${paint('dim', timestamp.slice(11, 19), process.stderr)} ${shown(`${agent} ${action}${about}`)}: ${said}`
}

/** The lines at the foot of the terminal; what happens is written above them. Nothing is drawn that is there already: it would flicker. */
function picture(stream: NodeJS.WriteStream) {
  let lines: string[] = []
  let left = false
  const clear = () => lines.length > 0 && stream.write(`\x1B[${lines.length}A\x1B[0J`)
  const write = () => lines.length > 0 && stream.write(`${lines.join('\n')}\n`)
  return {
    above: (text: string) => {
      clear()
      stream.write(`${text}\n`)
      write()
    },
    draw: (progress: TeamProgress) => {
      const width = (stream.columns || 80) - 1 // a terminal that has not said its width says 0
      const now = progressText(progress)
        .split('\n')
        .map((line) => shorten(line, width))
      if (left || now.join('\n') === lines.join('\n')) return
      clear()
      lines = now
      write()
    },
    /** What was still being looked up is not drawn over what comes after. */
    leave: () => {
      left = true
    },
  }
}

/** Time and cost first, because the end of a line is cut on a narrow terminal; then tasks by state, and who is at what. */
function progressText({ tasks, agents, elapsed_ms, ...spent }: TeamProgress): string {
  const states = Object.entries(tasks).map(([state, count]) => `${state} ${count}`)
  const head = [elapsedText(elapsed_ms), spentText(spent), ...states].join(' · ')
  const working = agents.map(({ agent, task, tool }) => [agent, task ?? '', shown(tool)])
  return [head, ...(working.length === 0 ? [] : [columns(working)])].join('\n')
}
