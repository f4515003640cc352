import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { seccompFilter } from './seccomp.ts'
import { actorsHere, kindsHere } from './test-actor.ts'
import { testWorkspace } from './test-workspace.ts'

const [ALLOW, KILL, REFUSED, NO_CALL, NO_FAMILY] = [0x7fff0000, 0x80000000, 0x50001, 0x50026, 0x50061]

/** The numbers of calls as the tables of the kernel list them, and what a filter is to answer. */
// oxfmt-ignore
const calls = {
  x64: {
    architecture: 0xc000003e,
    refused: { ptrace: 101, process_vm_readv: 310, process_vm_writev: 311, kcmp: 312, pidfd_getfd: 438, add_key: 248, request_key: 249, keyctl: 250,
      io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, userfaultfd: 323, bpf: 321, perf_event_open: 298 },
    allowed: { read: 0, mmap: 9, connect: 42, socketpair: 53, clone: 56, execve: 59, openat: 257, seccomp: 317, clone3: 435, close_range: 436 },
    socket: 41,
  },
  arm64: {
    architecture: 0xc00000b7,
    refused: { ptrace: 117, process_vm_readv: 270, process_vm_writev: 271, kcmp: 272, pidfd_getfd: 438, add_key: 217, request_key: 218, keyctl: 219,
      io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427, userfaultfd: 282, bpf: 280, perf_event_open: 241 },
    allowed: { read: 63, mmap: 222, connect: 203, socketpair: 199, clone: 220, execve: 221, openat: 56, seccomp: 277, clone3: 435, close_range: 436 },
    socket: 198,
  },
} as const

for (const [name, { architecture, refused, allowed, socket }] of Object.entries(calls)) {
  test(`[S36] the filter for ${name} refuses the calls it is meant to, and lets all others pass`, () => {
    const filter = seccompFilter(name) ?? Buffer.alloc(0)
    const ask = (call: number, ...values: number[]) => decide(filter, architecture, call, values)
    const family = (...values: number[]) => ask(socket, ...values)

    const answers = {
      refused: new Set(Object.values(refused).map((call) => ask(call))),
      allowed: new Set(Object.values(allowed).map((call) => ask(call, 40, 40, 40))),
      sockets: [1, 2, 10].map((number) => family(number, 1, 0)),
      // Packets, virtual machines, Bluetooth, and what the kernel says of anything but addresses.
      others: [17, 40, 31, 38].map((number) => family(number, 1, 0)),
      kernel: [family(16, 3, 0), family(16, 3, 15), family(16, 2, 9)],
      foreign: [0x40000003, 0xc000003e, 0xc00000b7].filter((one) => one !== architecture).map((one) => decide(filter, one, 0, [])),
    }

    assert.deepEqual(answers, {
      refused: new Set([REFUSED]),
      allowed: new Set([ALLOW]),
      sockets: [ALLOW, ALLOW, ALLOW],
      others: [NO_FAMILY, NO_FAMILY, NO_FAMILY, NO_FAMILY],
      kernel: [ALLOW, NO_FAMILY, NO_FAMILY],
      foreign: [KILL, KILL],
    })
  })
}

test('[S36] on x64 the calls of the other form, by which all would be reached again, are refused', () => {
  const filter = seccompFilter('x64') ?? Buffer.alloc(0)

  const answers = [101, 521, 41].map((call) => decide(filter, 0xc000003e, 0x40000000 + call, []))

  assert.deepEqual(answers, [NO_CALL, NO_CALL, NO_CALL])
})

test('[S36] where the numbers of calls are not known there is no filter', () => {
  assert.equal(seccompFilter('riscv64'), null)
})

const skip = seccompFilter(process.arch) === null && 'no filter for this architecture'

for (const kind of await kindsHere()) {
  for (const actor of actorsHere()) {
    test(
      `[S36] in ${kind} ${actor.name} runs under the filter, and addresses, pairs and sockets of their own are there`,
      { skip },
      async (t) => {
        const root = await testWorkspace(t)
        const script = `
        const net = require('node:net'), fs = require('node:fs')
        const mode = /Seccomp:\\s*(\\d)/.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]
        const names = Object.keys(require('node:os').networkInterfaces())
        const server = net.createServer((socket) => socket.end('own')).listen('/tmp/own', () =>
          net.connect('/tmp/own').on('data', (text) => {
            const pair = require('node:child_process').spawnSync('sh', ['-c', 'printf piped'], { encoding: 'utf8' }).stdout
            console.log(mode, names.join(), String(text), pair)
            server.close()
          }))`

        const [result] = await actor.run(kind, [{ argv: [process.execPath, '-e', script], root, access: 'read' }])

        assert.match(result?.stdout ?? '', /^2 (lo)? own piped$/m, result?.stderr)
      },
    )
  }
}

test('[S36] the program that loads the filter is there for this architecture', { skip }, () => {
  assert.equal(existsSync(new URL(`../../native/linux-${process.arch}/confine`, import.meta.url)), true)
})

/** What the kernel would make of a call: the few instructions that filters consist of. */
function decide(filter: Buffer, architecture: number, call: number, values: readonly number[]): number {
  const asked = new Map([[0, call], [4, architecture], ...values.map((value, at) => [16 + 8 * at, value] as const)])
  let loaded = 0
  for (let at = 0; at * 8 < filter.length; at += 1) {
    const [code, value] = [filter.readUInt16LE(at * 8), filter.readUInt32LE(at * 8 + 4)]
    const [yes, no] = [filter.readUInt8(at * 8 + 2), filter.readUInt8(at * 8 + 3)]
    if (code === 0x06) return value
    if (code === 0x20) loaded = asked.get(value) ?? 0
    else if (code === 0x15) at += loaded === value ? yes : no
    else if (code === 0x35) at += loaded >= value ? yes : no
    else assert.fail(`instruction ${code}`)
  }
  return assert.fail('the filter ends without an answer')
}
