import type { ProviderConnection } from './connect.ts'

/** Context sizes by model family, in tokens; the first match counts, so the special stands before the general. */
// oxfmt-ignore
const families: readonly [RegExp, number][] = [
  [/gpt-4\.1/,                        1_047_576],
  [/gpt-5/,                             400_000],
  [/gpt-4o|gpt-4-turbo|chatgpt-4o/,     128_000],
  [/gpt-oss/,                           131_072],
  [/(^|\/)o[134]/,                      200_000],
  [/claude/,                            200_000],
  [/gemini-1\.5-pro/,                 2_097_152],
  [/gemini/,                          1_048_576],
  [/grok-code-fast/,                    256_000],
  [/grok-4-fast|grok-4\.1/,           2_000_000],
  [/grok-4/,                            256_000],
  [/deepseek/,                          128_000],
  [/kimi-k2/,                           262_144],
  [/qwen3/,                             262_144],
]

/**
 * How much a model can hold; what the user configured counts before what we know, and an unknown model is null.
 * A server of the user's own may run a model with less room than its makers gave it, so nothing is known of it.
 */
export function contextWindow(model: string, { kind, context_window }: Pick<ProviderConnection, 'kind' | 'context_window'>): number | null {
  if (context_window !== null) return context_window
  if (kind === 'openai-compatible') return null
  return families.find(([family]) => family.test(model.toLowerCase()))?.[1] ?? null
}
