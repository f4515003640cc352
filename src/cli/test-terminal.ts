import { existsSync } from 'node:fs'

/** Why a test that needs a terminal is left out, or false: `script` of util-linux gives a process one. */
export const noTerminal = existsSync('/usr/bin/script') ? false : 'there is no /usr/bin/script here'
