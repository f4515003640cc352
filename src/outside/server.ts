import { homedir } from 'node:os'
import type { ReviewedServer } from './review-file.ts'
import type { ServerSettings } from './settings.ts'

/** A server as it can be used: its settings, the values it is given, and what the user has reviewed of it. */
export interface OutsideServer {
  name: string
  settings: ServerSettings
  /** Whose settings name it. */
  from: 'user' | 'project' | 'editor'
  /** The values of exactly the variables it may see, and of the headers it is sent. */
  env: Readonly<Record<string, string>>
  headers: Readonly<Record<string, string>>
  /** Where its review is kept. */
  file: string
  reviewed: ReviewedServer | null
}

/** The values of the variables it names. */
export function valuesOf(
  { env: names, variables, headers }: Pick<ServerSettings, 'env' | 'variables' | 'headers'>,
  env: Readonly<Record<string, string | undefined>>,
): Pick<OutsideServer, 'env' | 'headers'> {
  const held = (pairs: readonly (readonly [string, string])[]) =>
    Object.fromEntries(pairs.flatMap(([name, variable]) => (env[variable] === undefined ? [] : [[name, env[variable]]])))
  return { env: { ...variables, ...held(names.map((name) => [name, name])) }, headers: held(Object.entries(headers)) }
}

/** Whether it runs on this machine, where a sandbox holds it. */
export function isLocal({ settings }: Pick<OutsideServer, 'settings'>): boolean {
  return settings.command !== undefined
}

/** A path in the home of the user, written with ~. */
export function inHome(path: string): string {
  return path.replace(/^~(?=\/)/, homedir())
}
