import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { anAccount, type Account } from '../../src/cli/test-account.ts'
import { onScreen } from '../../src/cli/test-screen.ts'

type Screen = ReturnType<typeof onScreen>

/** A chat on a screen, ready to be typed into. */
export async function opened(t: TestContext, account: Account, args = ['chat', '--role', 'actor']): Promise<Screen> {
  const screen = onScreen(t, account, args)
  await screen.shows(/(actor|planner) ›/)
  return screen
}

/** Leaves it, whatever is half written. */
export async function leave(screen: Screen): Promise<void> {
  screen.type('\u0015/quit\r')
  assert.equal(await screen.ended, 0)
}

/** An account whose model plays these replies. */
export async function accountWith(t: TestContext, replies: readonly unknown[]): Promise<Account> {
  const account = await anAccount(t)
  await account.write('.config/troupe/config.yaml', `model: ${await account.script({ follow: 'thread', replies })}\n`)
  return account
}
