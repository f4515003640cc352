import type { Command } from 'commander'

/** The action of a verb: it is told whether JSON is wanted, then its arguments, then its options. */
export function verb<Words extends unknown[]>(run: (json: boolean, ...words: Words) => Promise<void>) {
  return async (...given: [...Words, ...unknown[]]): Promise<void> => {
    const command = given.at(-1) as Command // commander hands over the arguments, the options, and last the command
    await run(wantsJson(command), ...(given.slice(0, -1) as Words)) // what comes before it
  }
}

/** Whether `--json` was given, before the command or behind it. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals()['json'] === true
}
