import type { CallToolResult } from '@modelcontextprotocol/client'
import { HIDDEN_CHARACTER } from '../../domain/text/hidden-character.ts'
import { withoutTerminalCodes } from '../../domain/text/terminal-codes.ts'
import { bounded } from '../bounded.ts'

const hidden = new RegExp(HIDDEN_CHARACTER.source, 'gu')
const RESULT_CHARS = 60_000

/** Text of a stranger: nothing in it steers a terminal or hides what it says. */
export function plainText(text: string, chars: number): string {
  return bounded(withoutTerminalCodes(text.replaceAll('\r\n', '\n')).replaceAll(hidden, ''), chars)
}

/** What a tool from outside answered, as a model reads it. */
export function resultText({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(partText).filter((part) => part !== '')
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent))
  return plainText(parts.join('\n'), RESULT_CHARS) || 'done; the server said nothing about it'
}

type Part = CallToolResult['content'][number]

function partText(part: Part): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'image':
    case 'audio':
      return `[${part.type} ${part.mimeType}, ${sizeOf(part.data)} bytes, not shown]`
    case 'resource_link':
      return `[resource ${part.uri}: ${part.name}]`
    case 'resource':
      return 'text' in part.resource
        ? part.resource.text
        : `[resource ${part.resource.uri}, ${sizeOf(part.resource.blob)} bytes, not shown]`
    default:
      return ''
  }
}

/** Of base64. */
function sizeOf(data: string): number {
  return Math.floor((data.length * 3) / 4)
}
