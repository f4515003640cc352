import { Problem } from '../problem.ts'

/** Far beyond any text a person writes; more belongs into a file that the agent reads in parts. */
const BYTES_AT_MOST = 1024 * 1024

/** What somebody wants to say to a model, or why that is none: too much of it, or no text. */
export function promptText(given: string | Uint8Array): string {
  const bytes = typeof given === 'string' ? Buffer.byteLength(given) : given.length
  if (bytes > BYTES_AT_MOST) {
    const size = `${(bytes / 1024 / 1024).toFixed(1)} MiB`
    throw new Problem(
      'too_large',
      `this text has ${size}, and at most ${BYTES_AT_MOST / 1024 / 1024} MiB can be sent; put it into a file of the workspace and say where`,
      {
        details: { bytes, bytes_at_most: BYTES_AT_MOST },
      },
    )
  }
  const text = typeof given === 'string' ? given : decoded(given)
  if (text.includes('\0')) throw notText()
  return text
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    throw notText(error)
  }
}

function notText(cause?: unknown): Problem {
  return new Problem(
    'bad_input',
    'this is not text (UTF-8 without NUL bytes), so no model could read it; put it into a file of the workspace and say where',
    { cause },
  )
}
