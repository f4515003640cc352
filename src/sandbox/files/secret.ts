import { matchesGlob } from 'node:path'
import { words } from '../process/word-list.ts'

export type SecretRule = 'environment_file' | 'private_key' | 'credentials' | 'git_config' | 'git_folder' | 'troupe_folder'

/** Files named like these hold environment secrets; the examples that projects commit do not. */
const environmentFile = /^\.(env|dev\.vars)/
const environmentExample = /^\.(env|dev\.vars)[.-](example|sample|template|dist|defaults)$/

const privateKey = /^id_(rsa|dsa|ecdsa|ed25519|ecdsa_sk|ed25519_sk)$|\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk)$/
const credentialNames = new Set(words`
  .netrc _netrc .pypirc .git-credentials .htpasswd .pgpass .my.cnf .vault-token .dockercfg .s3cfg .boto .ssh .gnupg
  .aws .azure .kube .password-store .terraformrc credentials.tfrc.json
`)
const credentialPaths = words`
  .docker/config.json .config/gcloud .config/gh .config/git/credentials .config/hub .cargo/credentials .cargo/credentials.toml
`

/** The rule that makes a path a secret, judged by its name alone; null for an ordinary file. `path` is relative to the workspace. */
export function secretRule(path: string, use: 'read' | 'write'): SecretRule | null {
  const names = path.split('/').map(plainName)
  if (names.some((name) => environmentFile.test(name) && !environmentExample.test(name))) return 'environment_file'
  if (names.some((name) => privateKey.test(name))) return 'private_key'
  if (names.some((name) => credentialNames.has(name)) || credentialPaths.some((tail) => `/${names.join('/')}/`.includes(`/${tail}/`)))
    return 'credentials'
  if (isGitConfig(names)) return 'git_config'
  if (use === 'write' && names.includes('.git')) return 'git_folder'
  if (use === 'write' && names.includes('.troupe')) return 'troupe_folder'
  return null
}

/** What a package manager's settings are called: an ordinary file until a token is in it. */
export function mayHoldToken(path: string): boolean {
  return /(^|\/)(\.npmrc|\.yarnrc\.yml)$/i.test(path)
}

/** Whether the user listed a path, by itself, by a folder above it, or by a pattern. */
export function isListed(path: string, allowedSecrets: readonly string[]): boolean {
  return allowedSecrets.some((listed) => {
    const plain = listed.replace(/^\.\//, '').replace(/\/+$/, '')
    return plain !== '' && (path === plain || path.startsWith(`${plain}/`) || matchesGlob(path, plain))
  })
}

/** Hooks and configuration of a repository, of its submodules and of its worktrees: git runs what they say. */
function isGitConfig(names: readonly string[]): boolean {
  const at = names.indexOf('.git')
  return at !== -1 && names.slice(at + 1).some((name) => name === 'hooks' || name === 'config' || name === 'config.worktree')
}

/** A name as a forgiving file system would read it: case, width, invisible letters and trailing dots do not make it another file. */
function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    .replace(/[. ]+$/, (end) => (name === end ? end : ''))
}
