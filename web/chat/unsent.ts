import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import type { ChatView } from './chat-view.ts'
import type { NewAttachment } from '../../src/domain/attachment.ts'
import { newId } from '../../src/domain/id.ts'
import { perform, Refusal } from '../api.ts'

/** A message that the server has not confirmed. It keeps its id, so one that did arrive is not said again. */
export interface Unsent {
  id: string
  text: string
  /** The names of what is attached; what they hold is with the page only until it is reloaded. */
  attached?: readonly string[]
  /** `sent`: the server has it, and the chat does not show it yet. */
  state: 'sending' | 'sent' | 'failed'
  /** Why the server refused it; empty where it did not answer. */
  reason: string
}

const none: readonly Unsent[] = []

/** Which messages this page has under way; after a reload it has none, whatever was kept says. */
const underWay = new Set<string>()

/** The messages of a chat that are under way or were not sent, and what can be done about them. */
export function useUnsent(chat: ChatView) {
  const queries = useQueryClient()
  const [waiting] = useKept(keyOf(chat.id), none)
  const arrived = waiting.filter(({ id }) => chat.messages.some((message) => message.id === id)).map(({ id }) => id)
  useEffect(() => {
    for (const id of arrived) forget(chat.id, id)
  })
  return {
    unsent: waiting.filter(({ id }) => !arrived.includes(id)).flatMap(asItStands),
    retry: (message: Unsent) => sendAgain(queries, chat.id, message),
    discard: ({ id }: Unsent) => forget(chat.id, id),
  }
}

/** What is half written in the text box of a chat. */
export function useComposerText(chatId: string) {
  return useKept(composerKey(chatId), '')
}

/** Puts words into the text box of a chat, before those that are there. */
export function putIntoComposer(chatId: string, text: string): void {
  changeKept(composerKey(chatId), '', (typed) => [text, typed].filter(Boolean).join('\n'))
}

/** What a person says: words, and images or PDFs beside them. */
export interface Draft {
  text: string
  attachments: readonly NewAttachment[]
}

/** What is attached to messages under way, by their ids; too large to be kept over a reload. */
const contents = new Map<string, readonly NewAttachment[]>()

/** Sends a message. It is kept until the chat shows it, so that neither a dead server nor a reload loses it. */
export function sendText(queries: QueryClient, chatId: string, { text, attachments }: Draft): void {
  const id = newId('entry', new Date())
  contents.set(id, attachments)
  void deliver(queries, chatId, { id, text, attached: attachments.map(({ name }) => name), state: 'sending', reason: '' })
}

/** Whose files are gone with a reload has to be attached again: its words go back to the box. */
function sendAgain(queries: QueryClient, chatId: string, message: Unsent): void {
  if ((message.attached ?? []).length === 0 || contents.has(message.id)) return void deliver(queries, chatId, message)
  forget(chatId, message.id)
  putIntoComposer(chatId, message.text)
}

async function deliver(queries: QueryClient, chatId: string, { id, text, attached = [] }: Unsent): Promise<void> {
  if (underWay.has(id)) return
  underWay.add(id)
  const message = { id, text, attached }
  put(chatId, { ...message, state: 'sending', reason: '' })
  try {
    const attachments = [...(contents.get(id) ?? [])]
    await perform('chat.send_message', { chat: chatId, text, mentions: true, attachments, message_id: id })
    put(chatId, { ...message, state: 'sent', reason: '' })
    await queries.invalidateQueries() // only then does the chat itself show it
    forget(chatId, id)
  } catch (error) {
    put(chatId, { ...message, state: 'failed', reason: reasonOf(error) })
  } finally {
    underWay.delete(id)
  }
}

/** The page that kept it may have been reloaded before it heard from the server. */
function asItStands(message: Unsent): Unsent[] {
  if (underWay.has(message.id)) return [message]
  return message.state === 'sent' ? [] : [{ ...message, state: 'failed' }]
}

function put(chatId: string, message: Unsent): void {
  changeKept(keyOf(chatId), none, (all) =>
    all.some(({ id }) => id === message.id) ? all.map((one) => (one.id === message.id ? message : one)) : [...all, message],
  )
}

function forget(chatId: string, id: string): void {
  contents.delete(id)
  changeKept(keyOf(chatId), none, (all) => all.filter((one) => one.id !== id))
}

/** A server that is away is told at the top of the page for as long as it is; beside the message it would soon be untrue. */
function reasonOf(error: unknown): string {
  if (error instanceof Refusal && error.code === 'unreachable') return ''
  return error instanceof Error ? error.message : String(error)
}

function composerKey(chatId: string): string {
  return `composer.${chatId}`
}

function keyOf(chatId: string): string {
  return `unsent.${chatId}`
}

const values = new Map<string, unknown>()
const watchers = new Set<() => void>()

/** State of this tab that outlives the component and a reload of the page, shared by all who name the same key. */
function useKept<Value>(key: string, initial: Value): [Value, (change: (now: Value) => Value) => void] {
  const value = useSyncExternalStore(watch, () => kept(key, initial))
  return [value, (change) => keep(key, change(kept(key, initial)), initial)]
}

/** The same outside of a component. */
function changeKept<Value>(key: string, initial: Value, change: (now: Value) => Value): void {
  keep(key, change(kept(key, initial)), initial)
}

function kept<Value>(key: string, initial: Value): Value {
  if (!values.has(key)) values.set(key, stored(key) ?? initial)
  return values.get(key) as Value // a key is used for one kind of value
}

function keep<Value>(key: string, value: Value, initial: Value): void {
  values.set(key, value)
  try {
    if (JSON.stringify(value) === JSON.stringify(initial)) sessionStorage.removeItem(storedAs(key))
    else sessionStorage.setItem(storedAs(key), JSON.stringify(value))
  } catch {
    // A browser that has no room, or keeps nothing: it lasts until the page is reloaded.
  }
  for (const watcher of watchers) watcher()
}

function stored(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(storedAs(key)) ?? 'null')
  } catch {
    return null
  }
}

function storedAs(key: string): string {
  return `troupe.${key}`
}

function watch(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}
