import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
  type Server,
} from '@modelcontextprotocol/server'
import * as z from 'zod'
import { parsedJson } from '../domain/text/json-in-text.ts'
import { isRecord } from '../domain/text/unknown-value.ts'

/** An error that may answer what had no id, which the SDK's own type does not know. */
export interface LineError {
  jsonrpc: '2.0'
  id: string | number | null
  error: { code: number; message: string }
}

/** A message the SDK takes, or an answer to what it would pass over while its sender waits. */
type Read = ({ message: JSONRPCMessage } | { answer: LineError }) & { batch?: true }

/** What a line says: one thing, or those of a batch, as the revision 2025-03-26 allows; null where nobody waits for an answer. */
export function readLine(line: string): readonly Read[] | null {
  const value = parsedJson(line)
  if (value === undefined)
    return line.trim() === '' ? null : [misfit(null, ProtocolErrorCode.ParseError, 'Parse error: expected one JSON object per line')]
  if (!Array.isArray(value) || value.length === 0) return readValue(value)
  return value.flatMap((one: unknown) => (readValue(one) ?? []).map((read) => ({ ...read, batch: true as const })))
}

/** The answer to a line nobody could read to its end. */
export function tooLong(limit: number): LineError {
  const message = `Invalid Request: a line has at most ${limit} characters`
  return { jsonrpc: '2.0', id: null, error: { code: ProtocolErrorCode.InvalidRequest, message } }
}

function readValue(message: unknown): readonly Read[] | null {
  if (isJSONRPCRequest(message) || isJSONRPCNotification(message) || isJSONRPCResponse(message)) return [{ message }]
  const { id, method, result, error } = isRecord(message) ? message : {}
  const isNotification = id === undefined && typeof method === 'string'
  if (isNotification || result !== undefined || error !== undefined) return null // neither is ever answered
  const known = typeof id === 'string' || typeof id === 'number' ? id : null
  const right = 'expected {"jsonrpc": "2.0", "id": …, "method": "…", "params": {…}}'
  return [misfit(known, ProtocolErrorCode.InvalidRequest, `Invalid Request: ${right}`)]
}

function misfit(id: LineError['id'], code: ProtocolErrorCode, message: string): { answer: LineError } {
  return { answer: { jsonrpc: '2.0', id, error: { code, message } } }
}

/** The SDK answers parameters that do not fit with the dump of its schema, mostly as an error of its own; here they are the caller's, in words. */
export function tellMisfits(server: Server): Server {
  const connect = server.connect.bind(server)
  server.connect = (transport) => {
    const send = transport.send.bind(transport)
    transport.send = (message, options) => send(inWords(message), options)
    return connect(transport)
  }
  return server
}

const Dump = z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).min(1)

function inWords(message: JSONRPCMessage): JSONRPCMessage {
  if (!('error' in message)) return message
  const text = message.error.message
  const issues = Dump.safeParse(parsedJson(text.slice(text.indexOf('['))))
  if (!issues.success) return message
  const told = issues.data.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')
  return { ...message, error: { code: ProtocolErrorCode.InvalidParams, message: `Invalid params: ${told}` } }
}
