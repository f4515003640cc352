import { lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { messageOf } from '../domain/problem.ts'
import { digestOf } from './review-file.ts'
import { ServerName, ServerSettings } from './settings.ts'

/** Where projects name servers, by a convention that many tools share. */
export const PROJECT_FILE = '.mcp.json'

const MOST_BYTES = 256 * 1024

/** An entry as such files write it; what else stands there is not ours, but counts for the digest. */
export const ForeignEntry = z.object({
  type: z.string().optional(),
  command: z.string().min(1).optional(),
  args: z.array(z.string()).default([]),
  env: z.record(z.string(), z.string()).default({}),
  url: z.string().optional(),
  headers: z.record(z.string(), z.string()).default({}),
})

/** A server that a project names. Whoever can write into a repository can write this, so nothing of it is started by itself. */
export interface ProjectEntry {
  name: string
  /** Of the entry and the folder it was read in. */
  digest: string
  settings: ServerSettings
  /** What is started or reached, without the values of variables. */
  where: string
  headers: Readonly<Record<string, string>>
  /** The variables of ours that it wants the values of. */
  wants: readonly string[]
}

/** The servers that a project names, and what cannot be used of its file. */
export function readProjectServers(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): { entries: ProjectEntry[]; faults: string[] } {
  const file = join(root, PROJECT_FILE)
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found === undefined) return { entries: [], faults: [] }
  if (!found.isFile()) return { entries: [], faults: [`${file} is not a plain file, so it is not read`] }
  if (found.size > MOST_BYTES) return { entries: [], faults: [`${file} is larger than ${MOST_BYTES / 1024} kB, so it is not read`] }
  try {
    const { mcpServers } = z.object({ mcpServers: z.record(z.string(), z.unknown()) }).parse(JSON.parse(readFileSync(file, 'utf8')))
    const read = Object.entries(mcpServers).map(([name, entry]) => entryOf(root, name, entry, env))
    return {
      entries: read.filter((each) => typeof each !== 'string'),
      faults: read.filter((each) => typeof each === 'string').map((fault) => `${file}: ${fault}`),
    }
  } catch (error) {
    return { entries: [], faults: [`${file} cannot be read: ${messageOf(error).slice(0, 200)}`] }
  }
}

function entryOf(root: string, name: string, told: unknown, env: Readonly<Record<string, string | undefined>>): ProjectEntry | string {
  const shown = JSON.stringify(name.slice(0, 40))
  if (!ServerName.safeParse(name).success) return `${shown} is not a name for a server: letters, digits, - and single _`
  const entry = ForeignEntry.safeParse(told)
  if (!entry.success) return `${shown} is not an entry: ${entry.error.issues[0]?.path.join('.')} ${entry.error.issues[0]?.message}`
  const wants = new Set<string>()
  const filled = (text: string) => fill(text, env, wants)
  const { command, args, env: variables, url, headers } = entry.data
  const settings = ServerSettings.safeParse({
    ...(command !== undefined && { command: filled(command), args: args.map(filled) }),
    ...(url !== undefined && { url: filled(url) }),
    variables: eachValue(variables, filled),
  })
  if (!settings.success) return `${shown} cannot be used: ${settings.error.issues[0]?.message}`
  const filledHeaders = eachValue(headers, filled)
  const where = url ?? [command, ...args].join(' ')
  return { name, where, digest: digestOf({ root, name, told }), settings: settings.data, headers: filledHeaders, wants: [...wants] }
}

/** `${NAME}` and `${NAME:-otherwise}`. */
function fill(text: string, env: Readonly<Record<string, string | undefined>>, wants: Set<string>): string {
  return text.replaceAll(/\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g, (_, name: string, otherwise: string | undefined) => {
    wants.add(name)
    return env[name] ?? otherwise ?? ''
  })
}

function eachValue(record: Readonly<Record<string, string>>, change: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))
}
