import { CombinedAutocompleteProvider, type AutocompleteItem, type AutocompleteProvider, type SlashCommand } from '@earendil-works/pi-tui'
import { inLine } from '../../terminal.ts'

const FILES_SHOWN = 30

/** Files whose name holds these letters, in a folder. */
export type FindFiles = (folder: string, letters: string, signal: AbortSignal) => Promise<string[]>

/** Completes commands and their arguments after a slash, and files of the workspace after an @. Nothing else is looked for on the disk. */
export function completion(commands: SlashCommand[], workspace: string, findFiles: FindFiles): AutocompleteProvider {
  const slash = new CombinedAutocompleteProvider(commands, workspace, null)
  return {
    triggerCharacters: ['@'],
    getSuggestions: async (lines, line, column, options) => {
      const before = (lines[line] ?? '').slice(0, column)
      const at = /(?:^|\s)(@"?([^\s"]*))$/.exec(before)
      if (at !== null) return filesFor(at[1] ?? '', at[2] ?? '', findFiles, options.signal)
      return line === 0 && before.startsWith('/') && !options.force ? slash.getSuggestions(lines, line, column, options) : commandsOnTab()
      function commandsOnTab() {
        return line === 0 && /^\/\S*$/.test(before) ? slash.getSuggestions(lines, line, column, { signal: options.signal }) : null
      }
    },
    applyCompletion: (lines, line, column, item, prefix) => {
      if (!prefix.startsWith('@')) return slash.applyCompletion(lines, line, column, item, prefix)
      const text = lines[line] ?? ''
      const begin = column - prefix.length
      const put = `${item.value} `
      return {
        lines: lines.with(line, text.slice(0, begin) + put + text.slice(column).replace(/^ /, '')),
        cursorLine: line,
        cursorCol: begin + put.length,
      }
    },
    shouldTriggerFileCompletion: () => true,
  }
}

async function filesFor(prefix: string, word: string, findFiles: FindFiles, signal: AbortSignal) {
  const cut = word.lastIndexOf('/') + 1
  const [folder, letters] = [word.slice(0, cut) || '.', word.slice(cut)]
  const found = await findFiles(folder, letters, signal).catch(() => [])
  const items = found.toSorted(byCloseness(letters)).slice(0, FILES_SHOWN).map(asItem)
  return items.length === 0 ? null : { items, prefix }
}

function asItem(path: string): AutocompleteItem {
  return { value: /\s/.test(path) ? `@"${path}"` : `@${path}`, label: inLine(path) }
}

/** Names that begin with the letters before those that hold them, and what is near before what is deep. */
function byCloseness(letters: string) {
  const begins = (path: string) => (nameOf(path).toLowerCase().startsWith(letters.toLowerCase()) ? 0 : 1)
  return (a: string, b: string) => begins(a) - begins(b) || depthOf(a) - depthOf(b) || a.localeCompare(b)
}

function depthOf(path: string): number {
  return path.split('/').length
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** A glob for names that hold these letters, large or small. */
export function globFor(letters: string): string {
  const each = Array.from(letters, (letter) => {
    if (/[a-z]/i.test(letter)) return `[${letter.toLowerCase()}${letter.toUpperCase()}]`
    return /[\w.-]/.test(letter) ? letter : '?'
  })
  return `*${each.join('')}${letters === '' ? '' : '*'}`
}
