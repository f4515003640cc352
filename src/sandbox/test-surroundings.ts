import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'
import type { TestContext } from 'node:test'

/** Who commits in a test. */
export const committer = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b.c', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b.c' }

/** Gives this process variables of its environment until the test ends. */
export function setVariables(t: TestContext, values: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(values)) {
    const was = process.env[name]
    process.env[name] = value
    t.after(() => (was === undefined ? delete process.env[name] : (process.env[name] = was)))
  }
}

/** The port of this machine at which a server listens until the test ends. */
export async function listenHere(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port // a listening TCP server has one
}
