import type { StatedBounds } from '../bounds.ts'

/** What a role file says about whom the role reaches and which paths it touches, as a name and words for it. */
export function reachWords({ network, write_paths, read_paths }: StatedBounds): [name: string, words: string][] {
  return [
    ['network', networkWords(network)],
    ...(write_paths === null ? [] : [['changes only', pathWords(write_paths)] as [string, string]]),
    ...(read_paths === null ? [] : [['sees only', pathWords(read_paths)] as [string, string]]),
  ]
}

/** The settings of the user narrow it further. */
function networkWords(network: StatedBounds['network']): string {
  if (network === true || network === 'on') return 'what the settings allow'
  if (network === false || network === 'off' || network.length === 0) return 'none'
  return `of what the settings allow only ${network.join(', ')}`
}

function pathWords(globs: readonly string[]): string {
  return globs.join(', ') || 'nothing'
}
