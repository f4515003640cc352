import { detectSandbox } from './detect.ts'

/** Why a test whose commands have to run is left out, or false where this machine has a sandbox. */
export const noSandbox = (await detectSandbox()).kind === 'none' ? 'needs a sandbox' : false
