import type { Connection } from './connect.ts'
import type { LibraryConnection } from './library-wire.ts'
import { hostedKinds } from './settings.ts'
import type { Wire } from './wire.ts'

/** Imports the wire a connection speaks: our own for every server that speaks OpenAI's chat, the library's for those with a protocol of their own. */
export async function openWire(connection: Connection): Promise<Wire> {
  if (!hasOwnProtocol(connection)) return (await import('./chat-wire.ts')).chatWire(connection)
  const { libraryWire, loadModels } = await import('./library-wire.ts')
  return libraryWire(await loadModels(connection))
}

/** OpenAI itself has a newer protocol than the one that others took over from it. */
function hasOwnProtocol(connection: Connection): connection is LibraryConnection {
  const { kind, base_url } = connection
  return kind === 'anthropic' || kind === 'google' || (kind === 'openai' && base_url === hostedKinds.openai.base_url)
}
