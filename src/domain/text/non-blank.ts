import * as z from 'zod'

/** A text that says something: blanks alone would pass for an answer wherever only the length is counted. */
export const NonBlank = z.string().regex(/\S/, 'is empty; say it in words')
