import type { Cleanup } from '../../src/sandbox/test-folder.ts'
import { openBrowser } from './open-browser.ts'
import { startTroupe, type Replies, type Troupe } from './start-troupe.ts'

/** Troupe for one test, in the browser of its file. Without replies no model is configured, so the rehearsal plays. */
export function openTroupe(t: Cleanup, replies: Replies | null, pace?: { pace_ms: number }): Promise<Troupe> {
  return startTroupe(t, replies, openBrowser, pace)
}
