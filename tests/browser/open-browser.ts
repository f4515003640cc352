import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from './launch-browser.ts'

let opening: Promise<Browser> | undefined

after(async () => (await opening)?.close())

/** The one Chromium of a test file, closed after its last test. */
export function openBrowser(): Promise<Browser> {
  opening ??= launchBrowser()
  return opening
}
