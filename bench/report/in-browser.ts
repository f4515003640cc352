import type { Cleanup } from '../../src/sandbox/test-folder.ts'
import { launchBrowser } from '../../tests/browser/launch-browser.ts'
import { startTroupe, type Replies, type Troupe } from '../../tests/browser/start-troupe.ts'

/** Troupe with a browser of its own. */
export async function inBrowser(t: Cleanup, replies: Replies | null): Promise<Troupe> {
  const browser = await launchBrowser()
  t.after(() => browser.close())
  return startTroupe(t, replies, async () => browser)
}
