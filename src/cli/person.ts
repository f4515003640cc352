import { userInfo } from 'node:os'

/** The person at the terminal, by the name of their account. */
export function personHere(): string {
  return process.env['USER'] || userInfo().username
}
