import * as z from 'zod'

/** Zod writes and compiles a function for every schema that it meets. That pays in a process that lives; a command that ends soon is done before it would. */
export function disableZodJit(): void {
  z.config({ jitless: true })
}
