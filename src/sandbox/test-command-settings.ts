import type { CommandSettings } from './sandbox.ts'

/** What commands may do when a user has settled nothing, but for what a test changes. */
export function commandSettingsWith(changes: Partial<CommandSettings> = {}): CommandSettings {
  return { network: 'off', unsandboxed: false, allowedSecrets: [], ...changes }
}
