import { isAbsolute } from 'node:path'
import { words } from './word-list.ts'

/** What a child process may learn of our environment. Everything else, API keys first of all, stays with us. */
const passedOn = new Set(words`
  PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM COLORTERM NO_COLOR CI NVM_DIR VOLTA_HOME PYENV_ROOT RBENV_ROOT
  RUSTUP_HOME GOROOT JAVA_HOME DENO_DIR BUN_INSTALL SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE
  CURL_CA_BUNDLE GIT_SSL_CAINFO
`)

const proxies = new Set(['http_proxy', 'https_proxy', 'no_proxy', 'all_proxy'])

/** The environment of every child process: an allow list, and what the caller adds on purpose. */
export function scrubbedEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const env: Record<string, string> = {}
  for (const name of Object.keys(process.env).filter(mayPass)) {
    const value = process.env[name]
    if (value !== undefined && !isSecretProxy(name, value)) env[name] = value
  }
  env.PATH = safePath(env.PATH ?? '')
  return { ...env, ...extra }
}

function mayPass(name: string): boolean {
  return passedOn.has(name) || name.startsWith('LC_') || proxies.has(name.toLowerCase())
}

/** A proxy's user and password are a secret too. */
function isSecretProxy(name: string, value: string): boolean {
  return value.includes('@') && proxies.has(name.toLowerCase())
}

/** Without relative entries: they would find programs in whatever folder a command happens to stand in. */
function safePath(path: string): string {
  const entries = path.split(':').filter((entry) => isAbsolute(entry))
  return [...new Set(entries.length > 0 ? entries : ['/usr/local/bin', '/usr/bin', '/bin'])].join(':')
}
