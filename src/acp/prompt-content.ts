import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContentBlock, EmbeddedResource } from '@agentclientprotocol/sdk'
import type { NewAttachment } from '../domain/attachment.ts'
import { Problem } from '../domain/problem.ts'
import { promptText } from '../domain/text/prompt-text.ts'

/** What a prompt of an editor says, and the files it shows. */
export function readPrompt(blocks: readonly ContentBlock[], workspace: string): { text: string; attachments: NewAttachment[] } {
  const attachments: NewAttachment[] = []
  const attach = (data: string, name: string) => attachments.push({ name, data })
  const parts = blocks.map((block) => textOf(block, workspace, attach))
  const text = promptText(parts.filter((part) => part !== '').join('\n'))
  if (text.trim() === '' && attachments.length === 0) throw new Problem('bad_input', 'the prompt says nothing; write what you want done')
  return { text: text.trim() === '' ? 'Look at what is attached.' : text, attachments }
}

function textOf(block: ContentBlock, workspace: string, attach: (data: string, name: string) => void): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'resource_link':
      return `@${shortPath(block.uri, workspace)}`
    case 'image':
      attach(block.data, block.uri ?? 'image')
      return ''
    case 'resource':
      return embeddedText(block, workspace, attach)
    case 'audio':
      throw new Problem('bad_input', 'Troupe does not take sound; attach text, images or PDFs')
  }
}

function embeddedText({ resource }: EmbeddedResource, workspace: string, attach: (data: string, name: string) => void): string {
  const path = shortPath(resource.uri, workspace)
  if ('blob' in resource) {
    attach(resource.blob, path)
    return ''
  }
  return `<file path="${path}">\n${resource.text}\n</file>`
}

/** As the agent's tools name it, where it is in the workspace. */
function shortPath(uri: string, workspace: string): string {
  if (!uri.startsWith('file://')) return uri
  try {
    const path = fileURLToPath(uri)
    const inside = relative(workspace, path)
    return inside === '' || inside.startsWith('..') ? path : inside
  } catch {
    return uri // of another host, or no path at all
  }
}
