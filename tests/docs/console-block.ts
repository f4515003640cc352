/**
 * One command of a `console` block and what the page says about it. The notation is that of a terminal:
 * `$ ` before a command, `\` at the end of a line that goes on, output below, `…` for whatever may be there,
 * and after the prompt `›` of a program what a person types. A comment behind the command says what a terminal would not show.
 */
export interface Step {
  line: number
  command: string
  /** What the terminal shows after the command; typed lines included. */
  shown: string[]
  /** What a person types, in order. */
  typed: string[]
  /** `# exit code 10` */
  code: number
  /** `# … Ctrl+C`: it stays until it is interrupted. */
  stays: boolean
  /** `# needs a key`: something stands in for it here. */
  needs: string | null
}

const PROMPT = /^\S+(?: \([^)]*\))? › (.+)$/

/** The steps of a block; null for a line before the first command, which nothing could check. */
export function stepsOf(lines: readonly string[], firstLine: number): Step[] | null {
  const steps: Step[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    const last = steps.at(-1)
    if (!line.startsWith('$ ')) {
      if (last === undefined) return null
      last.shown.push(line)
      continue
    }
    const start = at
    const command = [line.slice(2)]
    while (continues(command)) command.push(lines[++at] ?? '')
    steps.push(stepFrom(command.join('\n'), firstLine + start))
  }
  return steps.map((step) => ({ ...step, typed: step.shown.flatMap((line) => PROMPT.exec(line)?.[1] ?? []) }))
}

/** A trailing backslash, or a here-document that is still open. */
function continues(command: readonly string[]): boolean {
  if (command.at(-1)?.endsWith('\\')) return true
  const end = /<<-?\s*'?(\w+)'?/.exec(command[0] ?? '')?.[1]
  return end !== undefined && command.length < 200 && command.at(-1) !== end
}

function stepFrom(command: string, line: number): Step {
  const said = /\s#\s+(.*)$/.exec(command.split('\n').at(-1) ?? '')?.[1] ?? ''
  return {
    line,
    command,
    shown: [],
    typed: [],
    code: Number(/\bexit code (\d+)/.exec(said)?.[1] ?? 0),
    stays: said.includes('Ctrl+C'),
    needs: /\bneeds (.+)$/.exec(said)?.[1] ?? null,
  }
}
