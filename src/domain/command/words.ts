/** One command of a line, as the words a shell would start it with. */
export type CommandWords = readonly [program: string, ...more: string[]]

/**
 * The commands of a pipeline or list, or null where a shell might do anything but start programs with exactly the words that are
 * written there. A shell knows many more forms; each of them is null here, so that nobody's leave is read into one.
 */
export function readCommands(text: string): CommandWords[] | null {
  const commands: string[][] = [[]]
  let at = 0
  while (at < text.length) {
    part.lastIndex = at
    const found = part.exec(text)
    if (found === null || part.lastIndex === at) return null
    at = part.lastIndex
    const { word, end } = found.groups ?? {}
    if (end !== undefined) commands.push([])
    if (word !== undefined) commands.at(-1)?.push(unquoted(word))
  }
  const started = commands.filter((words): words is [string, ...string[]] => words.length > 0)
  return started.length === 0 || started.some(([program]) => isNoProgram(program)) ? null : started
}

// Nothing here may be expanded, started in the background, or written anywhere: no $ ` \ ! # ~ * ? [ ] { } ( ) < & and no other >.
const bare = String.raw`[\w.,:@%+=/\-]`
const single = String.raw`'[^'\p{Cc}]*'`
const double = String.raw`"[^"$\x60\\!\p{Cc}]*"`
const thrownAway = String.raw`[12]?>(?:&[12]|[ \t]*/dev/null)(?=[ \t;|&\n]|$)`
const part = new RegExp(
  String.raw`[ \t]+|(?<end>&&|\|\||[;|\n])|${thrownAway}|(?<word>(?:${bare}|${single}|${double})+)`.replaceAll('/', String.raw`\/`),
  'uy',
)

function unquoted(word: string): string {
  return word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, one?: string, two?: string) => one ?? two ?? '')
}

/** Words that a shell reads as its own grammar, or as a setting for what follows, before it looks for a program. */
const grammar = new Set('case coproc do done elif else esac fi for function if in select then time until while'.split(' '))

function isNoProgram(word: string): boolean {
  return word === '' || word.startsWith('-') || grammar.has(word) || /^\w+\+?=/.test(word)
}
