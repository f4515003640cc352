import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import type { Cleanup } from '../../src/sandbox/test-folder.ts'
import { launchBrowser } from './launch-browser.ts'
import { startTroupe, type Replies, type Troupe } from './start-troupe.ts'

/** The one Chromium of a test file, closed after its last test. */
let opening: Promise<Browser> | undefined

after(async () => (await opening)?.close())

/** Troupe for one test, in the browser of its file. Without replies no model is configured, so the rehearsal plays. */
export function openTroupe(t: Cleanup, replies: Replies | null, pace?: { pace_ms: number }): Promise<Troupe> {
  return startTroupe(t, replies, () => (opening ??= launchBrowser()), pace)
}
