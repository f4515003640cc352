import { unsureChars, withoutSecrets } from '../../domain/text/mask.ts'

/** How often what a call prints is handed on: often enough to look alive, and a flood of output is still a few events a second. */
const EVERY_MS = 100

/** What running calls print, while they run. Nothing of it is stored: the answer of the call is. */
export interface LiveOutput {
  hear: (chunk: string, callId: string) => void
  /** Hands on what is left of a call that is over, so that its result comes last. */
  end: (callId: string) => void
}

/** Gathers what calls print and hands it on in pieces, with the same values masked as in the answer. */
export function liveOutput(secrets: readonly string[], handOn: (callId: string, text: string) => void): LiveOutput {
  const waiting = new Map<string, string>()
  const timers = new Map<string, NodeJS.Timeout>()

  function flush(callId: string, over: boolean): void {
    clearTimeout(timers.get(callId))
    timers.delete(callId)
    const text = waiting.get(callId) ?? ''
    const sure = over ? text.length : text.length - unsureChars(text, secrets)
    waiting.set(callId, text.slice(sure))
    if (sure > 0) handOn(callId, withoutSecrets(text.slice(0, sure), secrets))
    if (over) waiting.delete(callId)
  }

  return {
    hear: (chunk, callId) => {
      waiting.set(callId, (waiting.get(callId) ?? '') + chunk)
      if (!timers.has(callId)) timers.set(callId, setTimeout(flush, EVERY_MS, callId, false))
    },
    end: (callId) => flush(callId, true),
  }
}
