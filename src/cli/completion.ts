import type { Command } from 'commander'
import { Problem } from '../domain/problem.ts'
import { printExactly, printJson } from './terminal.ts'
import { wantsJson } from './verb.ts'

/** What can follow what: `''` → the nouns, `config` → its verbs and options. */
export type CompletionWords = Record<string, string[]>

const shells = { bash, zsh, fish }

/** `troupe completion bash | zsh | fish` */
export function define(completion: Command): void {
  completion.argument('<shell>', Object.keys(shells).join(', ')).action(async (shell: string, _options: unknown, command: Command) => {
    const script = scriptFor(shell, await wordsOf())
    if (wantsJson(command)) return printJson({ shell, script })
    printExactly(script)
  })
}

function scriptFor(shell: string, words: CompletionWords): string {
  const write = Object.entries(shells).find(([name]) => name === shell)?.[1]
  if (write) return write(words)
  throw new Problem('bad_input', `there is no completion for ${shell}; there is for ${Object.keys(shells).join(', ')}`)
}

/** Loads every command once, at the time the script is written, so that completing needs no start of ours. */
async function wordsOf(): Promise<CompletionWords> {
  const { wholeProgram } = await import('./program.ts')
  return Object.fromEntries(treeOf(await wholeProgram(), []))
}

function treeOf(command: Command, path: readonly string[]): [string, string[]][] {
  const options = command.options.flatMap((option) => option.long ?? [])
  const own: [string, string[]] = [path.join(' '), [...command.commands.map((inner) => inner.name()), ...options, '--help']]
  return [own, ...command.commands.flatMap((inner) => treeOf(inner, [...path, inner.name()]))]
}

function bash(words: CompletionWords): string {
  const cases = Object.entries(words).map(([path, next]) => `    '${path}') words='${next.join(' ')}' ;;`)
  return `# troupe completion for bash: add to ~/.bashrc:  source <(troupe completion bash)
_troupe() {
  local path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case $path in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _troupe troupe`
}

function zsh(words: CompletionWords): string {
  const cases = Object.entries(words).map(([path, next]) => `    '${path}') compadd -- ${next.join(' ')} ;;`)
  return `#compdef troupe
# troupe completion for zsh: add to ~/.zshrc:  source <(troupe completion zsh)
_troupe() {
  local path='' word
  for word in "\${words[@]:1:CURRENT-2}"; do
    case $word in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case $path in
${cases.join('\n')}
    *) _files ;;
  esac
}
compdef _troupe troupe`
}

function fish(words: CompletionWords): string {
  const lines = Object.entries(words).map(([path, next]) => `complete -c troupe -n '__troupe_at "${path}"' -a '${next.join(' ')}'`)
  return `# troupe completion for fish: troupe completion fish > ~/.config/fish/completions/troupe.fish
function __troupe_at
  set -l words (string match -v -- '-*' (commandline -opc)[2..-1])
  test "$words" = "$argv[1]"
end
${lines.join('\n')}`
}
