/** How a model marks its progress through a plan, on a line of its own: `[step 2 done]`, `[step 3 deviated: the file was renamed]`. */
export const STEP_MARK = /^[ \t]*\[(step (\d{1,4}) (active|done|deviated)\b[^\]\n]*)\][ \t]*\n?/gim
