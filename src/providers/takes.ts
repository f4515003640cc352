import type { AttachmentKind } from '../domain/attachment.ts'
import type { ProviderConnection } from './connect.ts'

/** What models take beside words, by family; the first match counts. Whatever is in no row takes words alone. */
// oxfmt-ignore
const families: readonly [RegExp, readonly AttachmentKind[]][] = [
  [/claude|gemini/,                                                  ['image', 'pdf']],
  [/gpt-4o|gpt-4\.1|gpt-[5-9]|chatgpt-4o|(^|\/)o[134](?!-mini-high)/, ['image', 'pdf']],
  [/grok-4|grok-[5-9]|vision|-vl|pixtral|llava|gemma-?[3-9]/,        ['image']],
  [/mistral-(small|medium|large)|kimi-k2\.[5-9]|qwen3\.[5-9]/,       ['image']],
]

/** What a model can be shown; what the user configured for its provider counts before what we know. */
export function takenBy(model: string, { takes }: Pick<ProviderConnection, 'takes'>): readonly AttachmentKind[] {
  return takes ?? families.find(([family]) => family.test(model.toLowerCase()))?.[1] ?? []
}
