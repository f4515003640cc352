import { isJSONRPCNotification, isJSONRPCRequest, isJSONRPCResponse, type JSONRPCMessage } from '@modelcontextprotocol/server'
import type { LineError, readLine } from './line-error.ts'

type Read = Exclude<ReturnType<typeof readLine>, null>[number]

/** What was asked and not answered yet, in both directions; a batch is answered as a whole. */
export function openCalls() {
  const ids = new Set<unknown>()
  const asked = new Set<unknown>()
  const batches = new Set<{ waits: Set<unknown>; answers: object[] }>()

  function note(message: JSONRPCMessage): void {
    if (isJSONRPCRequest(message)) ids.add(message.id)
    if (isJSONRPCResponse(message)) asked.delete(message.id)
    // What was cancelled is not answered any more.
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled') ids.delete(message.params?.['requestId'])
  }

  return {
    taken(read: ReturnType<typeof readLine>): readonly Read[] {
      const all = read ?? []
      const messages = all.flatMap((one) => ('message' in one ? [one.message] : []))
      for (const message of messages) note(message)
      const requests = messages.filter((message) => isJSONRPCRequest(message))
      if (all[0]?.batch !== true || requests.length === 0) return all
      const answers = all.flatMap((one) => ('answer' in one ? [one.answer] : []))
      batches.add({ waits: new Set(requests.map(({ id }) => id)), answers })
      return all.filter((one) => 'message' in one)
    },

    /** What is to be written now that this is said; null while the rest of its batch is waited for. */
    answered(message: JSONRPCMessage | LineError): object | null {
      if ('method' in message) {
        if (isJSONRPCRequest(message)) asked.add(message.id)
        return message
      }
      ids.delete(message.id)
      const batch = [...batches].find(({ waits }) => waits.delete(message.id))
      if (batch === undefined) return message
      batch.answers.push(message)
      if (batch.waits.size > 0) return null
      batches.delete(batch)
      return batch.answers
    },

    /** Nothing is owed to the client, or what is owed waits for an answer that a client which has gone cannot give. */
    isEmpty: () => ids.size === 0 || asked.size >= ids.size,
  }
}
