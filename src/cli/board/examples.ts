/** How each verb of the board is typed; its help shows it. A verb without an example does not compile. */
export const boardExamples = {
  leave: '--as coder-1',
} as const
