/** A place in a text that is filled from the context: `{{name}}`, or `{{name.part}}` for a part of it. */
const PLACEHOLDER = /\{\{\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)\s*\}\}/g

/** The paths of all placeholders of a text, each once. */
export function placeholdersIn(text: string): string[] {
  return text.includes('{{') ? [...new Set([...text.matchAll(PLACEHOLDER)].map(([, path = '']) => path))] : []
}
