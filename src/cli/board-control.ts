import type { Command } from 'commander'
import { analyzeBoard } from '../board/circuit-breaker.ts'
import { abortBoard, checkpointBoard, pauseBoard, resumeBoard } from '../board/control.ts'
import type { Board } from '../domain/board.ts'
import { boardVerb, changing } from './board-desk.ts'

const stops = [
  { name: 'pause', description: 'let the whole team stand still', run: pauseBoard },
  {
    name: 'checkpoint',
    description: 'stop the team for a look at the sprint',
    run: (desk: Parameters<typeof pauseBoard>[0], by: string, message?: string) => checkpointBoard(desk, by, message),
  },
  { name: 'abort', description: 'end the goal for good', run: abortBoard },
]

/** pause, resume, checkpoint, abort, analyze: what a person decides about the whole board. */
export function defineBoardControl(board: Command): void {
  for (const { name, description, run } of stops) {
    changing(boardVerb(board, name, description).argument('[message]'), async ({ desk, args: [message], human }) =>
      shown(await run(desk, human, message)),
    )
  }
  changing(
    boardVerb(board, 'resume', 'let the team go on; after a checkpoint with what was decided').argument('[decision]'),
    async ({ desk, args: [decision = ''], human }) => shown(await resumeBoard(desk, human, decision)),
  )
  changing(
    boardVerb(board, 'analyze', 'look for patterns in what went wrong; one at its threshold stops the team'),
    async ({ desk, human }) => {
      const analysis = await analyzeBoard(desk, human)
      const found = analysis.findings.map(({ pattern, severity }) => `${pattern} (${severity})`)
      return { value: analysis, text: found.length === 0 ? 'No pattern.' : `${analysis.response}: ${found.join(', ')}` }
    },
  )
}

function shown(board: Board) {
  const state = board.signal === null ? 'goes on' : `is under ${board.signal.name}`
  return { value: { signal: board.signal, sprint: board.sprint, goal: board.goal }, text: `The board ${state}.` }
}
