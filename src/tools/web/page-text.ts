import type { FetchedPage } from '../../network/fetch-page.ts'
import { htmlToMarkdown } from './html-markdown.ts'
import { withoutTerminalCodes } from '../../domain/text/terminal-codes.ts'

/** Characters that a reader does not see and a model obeys. */
const HIDDEN = /(?!\r\n|[\n\t])[\p{Cc}\p{Bidi_Control}\u{E0000}-\u{E007F}]/gu

/** What a page says, as markdown where it is HTML. */
export function pageText({ type, charset, body }: FetchedPage): string {
  const text = decoded(body, charset)
  const told = type === 'text/html' || type === 'application/xhtml+xml' ? htmlToMarkdown(text) : text
  return withoutTerminalCodes(told).replaceAll(HIDDEN, '').trim()
}

function decoded(body: Buffer, charset: string): string {
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return new TextDecoder().decode(body) // a charset that nobody knows
  }
}
