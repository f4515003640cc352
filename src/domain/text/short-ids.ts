/** Text with full commit ids cut to what people tell them apart by. */
export function shortIds(text: string): string {
  return text.replaceAll(/\b([0-9a-f]{12})[0-9a-f]{28,52}\b/g, '$1')
}
