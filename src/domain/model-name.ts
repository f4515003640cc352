/** The user's own table: a model name, or the start of one followed by `*`, and the provider (or `provider/model`) it stands for. */
export type ModelTable = Readonly<Record<string, string>>

/** Whose model a bare name is, by how the name begins. A tag as in `qwen3:8b` belongs to a local server, and nobody knows which. */
// oxfmt-ignore
const makers: readonly [RegExp, string][] = [
  [/^claude-/,                                                   'anthropic'],
  [/^(gpt-(?!oss)|chatgpt-|codex-|o\d)/,                         'openai'],
  [/^gemini-/,                                                   'google'],
  [/^grok-/,                                                     'xai'],
  [/^deepseek-/,                                                 'deepseek'],
  [/^(mistral|ministral|codestral|devstral|magistral|pixtral)-/, 'mistral'],
  [/^(qwen[\d.]*|qwq|qvq)-/,                                     'qwen'],
  [/^(kimi|moonshot)-/,                                          'moonshot'],
]

/**
 * A model name with its provider. `provider/model` and what is not a model stay as they are; a bare name such as `grok-code-fast-1` finds its
 * provider in the user's table, else in ours; null where neither knows it.
 */
export function fullModelName(name: string, own: ModelTable = {}): string | null {
  if (/^(default|rehearsal|(scripted|replay):.+)$/s.test(name) || name.includes('/')) return name
  const target = ownTarget(name, own) ?? (name.includes(':') ? undefined : makers.find(([family]) => family.test(name))?.[1])
  if (target === undefined) return null
  return target.includes('/') ? target : `${target}/${name}`
}

/** What to write in place of a bare name that nobody knows. */
export const WRITE_A_MODEL = 'write provider/model, for example openai/gpt-5, or give the name a provider under models in your config.yaml'

/** The exact name counts before a pattern, a longer pattern before a shorter one. */
function ownTarget(name: string, own: ModelTable): string | undefined {
  if (Object.hasOwn(own, name)) return own[name]
  const patterns = Object.keys(own).filter((key) => key.endsWith('*') && name.startsWith(key.slice(0, -1)))
  const [longest] = patterns.toSorted((a, b) => b.length - a.length)
  return longest === undefined ? undefined : own[longest]
}
