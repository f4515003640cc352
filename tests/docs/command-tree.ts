import type { Command } from 'commander'
import { wholeProgram } from '../../src/cli/program.ts'

let program: Promise<Command> | undefined

/** Why a command line that starts with `troupe` could not be typed, or null: no such verb, no such option. */
export async function misuse(line: string): Promise<string | null> {
  program ??= wholeProgram()
  const words = wordsOf(line).slice(1)
  let command = await program
  const known: Command[] = [command]
  for (const word of words) {
    const verb = command.commands.find((each) => each.name() === word)
    if (verb !== undefined) {
      command = verb
      known.push(verb)
      continue
    }
    if (!word.startsWith('-') && isVerbless(command)) return `troupe has no ${nameOf(command)} ${word}`
    const option = /^--?[a-z-]+/i.exec(word)?.[0]
    const takes = known.some((each) => takesOption(each, option ?? ''))
    if (option !== undefined && option !== '--' && !takes) return `${nameOf(command)} has no option ${option}`
  }
  return null
}

/** A noun that only has verbs: a word after it must be one of them, unless it stands for one. */
function isVerbless(command: Command): boolean {
  return command.commands.length > 0 && command.registeredArguments.length === 0 && !command.commands.some((each) => each.name() === 'talk')
}

function takesOption(command: Command, option: string): boolean {
  if (['-h', '--help'].includes(option)) return true
  const own = command.commands.find((each) => each.name() === 'talk')
  return [command, ...(own ? [own] : [])].some((each) => each.options.some(({ short, long }) => option === short || option === long))
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`
}

/** Words as a shell would part them; what is in quotes is one word and no option. */
function wordsOf(line: string): string[] {
  const [first = ''] = line.split(/\s+#\s|\s<\s|\s*[|;&>]\s*/)
  return [...first.matchAll(/"[^"]*"|'[^']*'|[^\s"']+/g)].map(([word]) => word.replace(/^["']/, '"'))
}
