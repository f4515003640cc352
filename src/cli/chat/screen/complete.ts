import { CombinedAutocompleteProvider, type AutocompleteItem, type AutocompleteProvider, type SlashCommand } from '@earendil-works/pi-tui'
import { asNamed } from '../../../domain/text/named-files.ts'
import { inLine } from '../../terminal.ts'

/** Files whose path fits what was typed so far, the closest first. */
type FindFiles = (typed: string, signal: AbortSignal) => Promise<string[]>

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

async function filesFor(prefix: string, typed: string, findFiles: FindFiles, signal: AbortSignal) {
  const found = await findFiles(typed, signal).catch(() => [])
  const items = found.map((path): AutocompleteItem => ({ value: asNamed(path), label: inLine(path) }))
  return items.length === 0 ? null : { items, prefix }
}
