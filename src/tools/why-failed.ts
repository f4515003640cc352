import { isAbsolute, relative, resolve } from 'node:path'
import type { NetworkPolicy } from '../domain/network/policy.ts'
import type { CommandResult } from '../sandbox/sandbox.ts'

/** What a command that failed was kept from, as far as it said so: hosts, and paths it may not change or read. */
export interface KeptFrom {
  hosts: string[]
  paths: string[]
}

const NAMED = 5

// What programs print when a name is not resolved or a connection has no way out.
const unreached = [
  /getaddrinfo (?:EAI_AGAIN|ENOTFOUND) ([\w.-]+)/g,
  /could not resolve (?:host|proxy)?:? ?'?([\w-]+(?:\.[\w-]+)+)/gi,
  /lookup ([\w.-]+)(?: on \S+)?: (?:no such host|dial|Temporary failure|server misbehaving)/g,
  /(?:unable to access|failed to connect to|Failed to establish a new connection:.*host=)\s?'?(?:https?:\/\/)?([\w-]+(?:\.[\w-]+)+)/gi,
  /connect (?:ENETUNREACH|EHOSTUNREACH) ([\d.a-f:]+)/g,
]
const unreachedAtAll = /Temporary failure in name resolution|Name or service not known|Network is unreachable|ENETUNREACH|EAI_AGAIN/

const refusedPaths = [
  /(?:EACCES|EROFS|EPERM)\b[^\n']*'([^'\n]+)'/g,
  /[‘'"]([^’'"\n]+)[’'"]: (?:Permission denied|Read-only file system|Operation not permitted)/g,
  /(?:^|\s)([\w./@+-]*\/[\w./@+-]*): (?:Permission denied|Read-only file system|Operation not permitted)/gm,
]

/** What a failed command was kept from. A list of hosts has its own refusals, which name each. */
export function keptFrom({ stdout, stderr }: Pick<CommandResult, 'stdout' | 'stderr'>, network: NetworkPolicy): KeptFrom {
  const said = `${stderr}\n${stdout}`
  const hosts = network === 'off' ? found(said, unreached) : []
  const nameless = network === 'off' && hosts.length === 0 && unreachedAtAll.test(said) ? [''] : []
  return { hosts: [...hosts, ...nameless], paths: found(said, refusedPaths) }
}

/** The same in words for the model and the person. */
export function keptFromLines({ hosts, paths }: KeptFrom, root: string): string[] {
  const named = hosts.filter((host) => host !== '').slice(0, NAMED)
  const reach = named.length === 0 ? 'another machine' : named.join(', ')
  return [
    ...(hosts.length === 0
      ? []
      : [`no network: this command needs ${reach}, and commands here may reach nobody; only the user can allow it, under sandbox.network`]),
    ...paths.slice(0, NAMED).map((path) => `no rights: ${path} ${isOutside(root, path) ? OUTSIDE : WITHIN}`),
  ]
}

const OUTSIDE = 'is outside the workspace, which is all that commands may change'
const WITHIN = 'is not for commands of this role to change'

function isOutside(root: string, path: string): boolean {
  const from = relative(root, resolve(root, path))
  return from.startsWith('..') || isAbsolute(from)
}

function found(text: string, forms: readonly RegExp[]): string[] {
  return [...new Set(forms.flatMap((form) => [...text.matchAll(form)].map(([, what = '']) => what)))]
}
