import * as z from 'zod'

/** A text that says something: blanks alone would pass for an answer wherever only the length is counted. */
export const NonBlank = z.string().regex(/\S/, 'is empty; say it in words')

const ABOVE_0 = 'takes a whole number above 0'

/** How many of something: at least one. */
export const Above0 = z.int(ABOVE_0).positive(ABOVE_0)
