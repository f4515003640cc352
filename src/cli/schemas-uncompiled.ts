import { config } from 'zod'

/** For a command that ends soon: it is done before compiled schemas would pay. To be called before any schema is created. */
export function leaveSchemasUncompiled(): void {
  config({ jitless: true })
}
