import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { refusedAddress } from './address.ts'
import { readHost } from './host.ts'
import { readyLists } from './lists.ts'
import {
  allowsHost,
  isWithin,
  narrowedPolicy,
  NetworkSetting,
  networkPolicy,
  settingOf,
  widenedPolicy,
  type NetworkPolicy,
} from './policy.ts'

test('[N1] a setting is off, on, or a list of domains; a list is kept in one spelling', () => {
  const settings = [
    false,
    true,
    'off',
    'on',
    [],
    ['Example.ORG.', '*.bücher.example:443', '8.8.8.8', '[2606:4700::1111]:53'],
    ['npm', 'npm'],
  ]

  const meant = settings.map((setting) => settingOf(networkPolicy(NetworkSetting.parse(setting))))

  assert.deepEqual(meant, [
    'off',
    'on',
    'off',
    'on',
    [],
    ['example.org', '*.xn--bcher-kva.example:443', '8.8.8.8', '[2606:4700::1111]:53'],
    [...readyLists.npm],
  ])
})

test('[N1] what is not a domain is refused, and what never can be reached as well', () => {
  const wrong = `
    | |.|..|*|*.|*.*|*.org|org|localhost|*.localhost|a.localhost|nmp|https://example.org|example.org/a|user@example.org|exa mple.org
    |example.org:|example.org:0|example.org:65536|example.org:443x|example.org:0443|example.org:-1|example.org:1:2|*example.org|a.*.org
    |example..org|-a.org|a-.org|exa%6dple.org|example.org?a|example.org#a|example.org\\a|[::1|::1|[::1]|[fe80::1%eth0]|[fe80::1%25eth0]
    |127.0.0.1|127.1|2130706433|0x7f000001|0177.0.0.1|0x7f.1|10.0.0.5:5432|192.168.0.1|169.254.169.254|100.100.100.200|168.63.129.16
    |[::ffff:127.0.0.1]|[::ffff:7f00:1]|[fd00:ec2::254]|[fe80::1]|[64:ff9b::a00:1]|[2002:7f00:1::]|*.8.8.8.8|256.1.1.1|1.2.3.4.5|example.0x1
    |${'a'.repeat(64)}.org|${'a.'.repeat(130)}org`
  const texts = wrong.split('|').map((text) => text.replace(/\n\s*/, ''))

  const accepted = texts.filter((text) => NetworkSetting.safeParse([text]).success)
  const others = [null, 1, 'yes', {}, { npm: true }, [1], [['npm']], Array.from({ length: 501 }, (_, at) => `a${at}.org`)]

  assert.deepEqual(accepted, [])
  assert.deepEqual(
    others.filter((setting) => NetworkSetting.safeParse(setting).success),
    [],
  )
})

test('[N1] the ready lists are lists of domains, each reached over TLS alone', () => {
  const read = Object.values(readyLists).flatMap((list) => settingOf(networkPolicy(NetworkSetting.parse([...list]))))

  assert.deepEqual(read, Object.values(readyLists).flat())
  assert.ok(read.every((line) => line.endsWith(':443')))
})

test('[N2] a host is allowed by its name and port, in every spelling of it, and nothing beside it', () => {
  const policy = networkPolicy(['example.org', '*.cdn.example:443', '8.8.8.8:53'])
  const asked = {
    'example.org:443': true,
    'example.org:80': true,
    'EXAMPLE.org.:443': true,
    'ｅxample.org:443': true,
    'example.org:22': false,
    'a.example.org:443': false,
    'notexample.org:443': false,
    'example.org.evil.net:443': false,
    'a.cdn.example:443': true,
    'a.b.cdn.example:443': true,
    'a.cdn.example:80': false,
    'cdn.example:443': false,
    'evilcdn.example:443': false,
    '8.8.8.8:53': true,
    '134744072:53': true,
    '0x08080808:53': true,
    '8.8.8.8:443': false,
    '[::ffff:8.8.8.8]:53': false,
  }

  const answers = Object.fromEntries(Object.keys(asked).map((text) => [text, isAllowed(policy, text)]))

  assert.deepEqual(answers, asked)
})

test('[N2] what is no host at all is nobody', () => {
  const texts = [
    '',
    ' ',
    'a b.org',
    'a/b.org',
    'a@b.org',
    'a:80',
    '[::1',
    '::1',
    '[fe80::1%25en0]',
    'a\0.org',
    'a\r\n.org',
    'a%2eorg',
    'x'.repeat(2000),
  ]

  assert.deepEqual(
    texts.map(readHost),
    texts.map(() => null),
  )
})

test('[N3] narrowing never allows more than either of two policies, and nothing that both allow is lost', () => {
  const hosts = ['a.org', 'b.a.org', 'c.b.a.org', 'd.net']
  const rule = fc
    .tuple(fc.boolean(), fc.constantFrom(...hosts), fc.constantFrom('', ':80', ':443', ':22'))
    .map(([below, host, port]) => `${below ? '*.' : ''}${host}${port}`)
  const policy = fc.oneof(
    fc.constantFrom<NetworkPolicy>('off', 'on'),
    fc.array(rule, { maxLength: 5 }).map((list) => networkPolicy(list)),
  )
  const places = [...hosts, 'x.a.org', 'x.b.a.org', 'x.d.net'].flatMap((host) =>
    [80, 443, 22].map((port) => ({ host: { name: host }, port })),
  )

  fc.assert(
    fc.property(policy, policy, (one, other) => {
      const both = narrowedPolicy(one, other)
      for (const { host, port } of places)
        assert.equal(allowsHost(both, host, port), allowsHost(one, host, port) && allowsHost(other, host, port))
      assert.ok(isWithin(both, one) && isWithin(both, other))
      if (isWithin(one, other))
        for (const { host, port } of places) assert.ok(!allowsHost(one, host, port) || allowsHost(other, host, port))
    }),
    { numRuns: 500 },
  )
})

test('[N3] what a person allows is added to a list, never to `off`', () => {
  const more = [{ host: 'a.org', below: false, port: 443 }]

  const widened = (['off', 'on', networkPolicy(['b.org'])] as const).map((policy) => settingOf(widenedPolicy(policy, more)))

  assert.deepEqual(widened, ['off', 'on', ['b.org', 'a.org:443']])
})

test('[N4] addresses of this machine, of its networks and of clouds are refused in every spelling', () => {
  const refused = `
    0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 100.127.255.255 100.100.100.200 127.0.0.1 127.255.255.254 169.254.169.254 168.63.129.16 172.16.0.1
    172.31.255.255 192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.1.1.1
    240.0.0.1 255.255.255.255 :: ::1 ::2 ::ffff:127.0.0.1 ::ffff:7f00:1 ::FFFF:10.0.0.1 ::ffff:169.254.169.254 0:0:0:0:0:ffff:c0a8:101
    ::127.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::10.0.0.1 64:ff9b::7f00:1 64:ff9b:1::1 100::1 2001::1 2001:0:53aa:64c:: 2001:10::1 2001:db8::1
    2002:7f00:1:: 2002:808:808:: 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fdff::1 fe80::1 fe80::1%eth0 febf::1 fec0::1 ff02::1
    2a00::5efe:a00:1 2a00:1:2:3:0200:5efe:7f00:1 1.2.3 01.2.3.4 256.1.1.1 x ::g`
  const open =
    '1.1.1.1 8.8.8.8 100.63.255.255 100.128.0.0 172.15.0.1 172.32.0.1 192.169.0.1 198.20.0.1 223.255.255.255 2606:4700::1111 2a00::1 ::ffff:8.8.8.8 64:ff9b::8.8.8.8'

  const [closed, passed] = [refused, open].map((list) =>
    list
      .trim()
      .split(/\s+/)
      .map((address) => [address, refusedAddress(address)] as const),
  )

  assert.deepEqual(
    closed?.filter(([, why]) => why === null),
    [],
  )
  assert.deepEqual(
    passed?.filter(([, why]) => why !== null),
    [],
  )
})

test('[N4] every number that is an IPv4 address is refused as its plain spelling is', () => {
  fc.assert(
    fc.property(fc.nat({ max: 0xffff_ffff }), (number) => {
      const plain = [24, 16, 8, 0].map((bits) => (number >>> bits) & 0xff).join('.')
      const spellings = [String(number), `0x${number.toString(16)}`, `0${number.toString(8)}`, plain]
      const why = refusedAddress(plain)
      for (const text of spellings) assert.deepEqual(readHost(text), { address: plain })
      assert.equal(refusedAddress(`::ffff:${plain}`), why)
      assert.equal(refusedAddress(`64:ff9b::${plain}`), why)
    }),
    { numRuns: 500 },
  )
})

function isAllowed(policy: NetworkPolicy, text: string): boolean {
  const at = text.lastIndexOf(':')
  const host = readHost(text.slice(0, at))
  return host !== null && allowsHost(policy, host, Number(text.slice(at + 1)))
}
