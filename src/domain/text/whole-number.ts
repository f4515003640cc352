import * as z from 'zod'

const ABOVE_0 = 'takes a whole number above 0'

/** How many of something: at least one. */
export const Above0 = z.int(ABOVE_0).positive(ABOVE_0)
