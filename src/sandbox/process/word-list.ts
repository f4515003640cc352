/** The words of a text: so a long list of names is easiest to read. */
export function words({ raw: [text = ''] }: TemplateStringsArray): string[] {
  return text.trim().split(/\s+/)
}
