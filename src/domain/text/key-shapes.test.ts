import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { maskedAddress, withoutKeys } from './key-shapes.ts'

const letters = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYzAbCdEfGhIjKlMnOpQrStUvWx12345'
const joined = (...parts: string[]) => parts.join('')
const of = (length: number) => letters.repeat(3).slice(0, length)
const hex = (length: number) => '0123456789abcdef'.repeat(8).slice(0, length)
const base64 = Array.from({ length: 6 }, (_, at) => `MII${of(58)}${at}+/`)
const pem = (kind: string) => [`-----BEGIN ${kind}-----`, ...base64, `-----END ${kind}-----`].join('\n')
const jwt = `${joined('eyJ', 'hbGciOiJIUzI1NiJ9')}.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${of(43)}`

/** Put together here, so that no tool that looks for keys takes this file for one. */
const keys: Record<string, string> = {
  OpenAI: joined('sk-', 'proj-', of(60)),
  Anthropic: joined('sk-', 'ant-api03-', of(80)),
  GitHub: `ghp_${of(36)}`,
  'a fine-grained one of GitHub': joined('github_', 'pat_', of(22), '_', of(40)),
  GitLab: `glpat-${of(20)}`,
  Slack: joined('xoxb-', '123456789012-', of(24)),
  'an app of Slack': joined('xapp-1-', 'A012345-', of(40)),
  AWS: joined('AKIA', 'ABCDEFGHIJKLMNOP'),
  'AWS, for a while': joined('ASIA', 'ABCDEFGHIJKLMNOP'),
  Google: `AIza${of(35)}`,
  Stripe: joined('sk_', 'live_', of(24)),
  npm: `npm_${of(36)}`,
  'Hugging Face': `hf_${of(34)}`,
  PyPI: `pypi-${of(80)}`,
  DigitalOcean: `dop_v1_${hex(64)}`,
  JWT: jwt,
  'RSA in PEM': pem('RSA PRIVATE KEY'),
  'PKCS 8 in PEM': pem('PRIVATE KEY'),
  OpenSSH: pem('OPENSSH PRIVATE KEY'),
  PGP: [`-----BEGIN PGP PRIVATE KEY BLOCK-----`, 'Version: GnuPG v2', '', ...base64, '=ab12', `-----END PGP PRIVATE KEY BLOCK-----`].join(
    '\n',
  ),
  'PEM within JSON': JSON.stringify(pem('PRIVATE KEY')).slice(1, -1),
}

for (const [kind, secret] of Object.entries(keys)) {
  test(`[J27] a key of ${kind} is masked, in the midst of text, in quotes and behind a name`, () => {
    const masked = [`it is ${secret} there`, `"${secret}"`, `KEY=${secret}\nNEXT=1`, `(${secret})`, secret].map(withoutKeys)

    assert.deepEqual(masked, ['it is [masked] there', '"[masked]"', 'KEY=[masked]\nNEXT=1', '([masked])', '[masked]'])
  })

  test(`[J27] of a key of ${kind} that is cut nothing is left that is of use`, () => {
    for (const part of [0.3, 0.5, 0.9]) {
      const cut = secret.slice(0, Math.max(8, Math.floor(secret.length * part)))
      for (const text of [`it is ${cut}`, `it is ${cut}\n[… 4711 bytes cut …]\nand so on`]) {
        const left = withoutKeys(text)
        for (let at = 16; at + 16 <= cut.length; at++) assert.ok(!left.includes(cut.slice(at, at + 16)), `${part}: ${left}`)
      }
    }
  })
}

test('[J27] the end of a private key whose beginning was cut off is masked', () => {
  const end = pem('RSA PRIVATE KEY').split('\n').slice(3).join('\n')

  assert.equal(withoutKeys(`before\n[… 9 bytes cut …]\n${end}\nafter`), 'before\n[… 9 bytes cut …][masked]\nafter')
})

test('[J27] the password of an address is masked and the rest of it stays', () => {
  const masked = ['postgres://u:s3cr3t@h/x', 'https://me:to%40ken@example.org/a.git', 'see redis://:hunter22@cache:6379/0 there'].map(
    withoutKeys,
  )

  assert.deepEqual(masked, [
    'postgres://u:[masked]@h/x',
    'https://me:[masked]@example.org/a.git',
    'see redis://:[masked]@cache:6379/0 there',
  ])
})

test('[J27] ordinary text stays as it is', () => {
  const ordinary = [
    'task-1, risk-based, disk-usage-of-the-machine; sk-fading-circle and sk-rotating-plane',
    'npm_config_registry npm_lifecycle_event hf_hub_download xoxo glpat AKIA npm install',
    'postgres://user:password@localhost/db http://${user}:${pass}@host/ https://<user>:<token>@host ssh://git@github.com:22/a.git',
    'https://example.org:8080/path?x=a@b mailto:me@example.org  http://[::1]:4000/',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    'eyJ is how base64 of {" begins; sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'import { skip } from "./sk-test.ts" // sk_test and pk_live are modes',
    `const key = process.env['OPENAI_API_KEY'] ?? 'sk-…'`,
    'the header -----BEGIN PRIVATE KEY----- begins a private key, and the rest of this sentence is about that',
  ]

  assert.deepEqual(ordinary.map(withoutKeys), [
    ...ordinary.slice(0, -1),
    ordinary.at(-1)?.replace('-----BEGIN PRIVATE KEY-----', '[masked]'),
  ])
})

test('[J27] no source of our own looks like a key', () => {
  const folder = join(import.meta.dirname, '../..')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )

  const changed = files.filter((name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    return withoutKeys(text) !== text
  })

  assert.deepEqual(
    changed,
    [join('domain', 'key-shapes.ts')].filter((name) => changed.includes(name)),
  )
})

test('[J27] no text takes long', () => {
  const texts = [
    'sk-',
    'a-',
    'eyJ',
    'eyJhbGciOi',
    'x://',
    'a:',
    '-----BEGIN PRIVATE KEY-----',
    'A',
    'A\n',
    '+',
    'SG.',
    '-----END PRIVATE KEY-----',
  ]

  const started = performance.now()
  for (const text of texts) withoutKeys(text.repeat(200_000 / text.length))

  assert.ok(performance.now() - started < 20_000) // a pattern that goes back and forth would take hours
})

test('[X19] an address is shown without its password, however it was mistyped', () => {
  const addresses = [
    'postgres://u:PW@h/x',
    'postgres:/u:PW@x',
    'postgres//u:PW@h',
    'postgre://u:P@W/P:W@h/x',
    'u:PW@h/x',
    '://u:PW@h',
    'postgres://h/x?user=u&password=PW&ssl=1',
    'host=h password=PW user=u',
    'postgres://:PW@h',
  ]

  for (const address of addresses) assert.doesNotMatch(maskedAddress(address), /PW|P@W|P:W/, address)
  assert.equal(maskedAddress('postgres://u:PW@h:5432/x'), 'postgres://u:[masked]@h:5432/x')
  for (const plain of ['sqlite:/home/a:b@c/x.db', 'postgres://u@h:5432/x', 'postgres://h/x']) assert.equal(maskedAddress(plain), plain)
})
