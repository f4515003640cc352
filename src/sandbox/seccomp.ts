/** The calls a command is refused, by their number on each architecture. */
// oxfmt-ignore
const refused = {
  // Into other processes, the first of the sandbox among them: it ends with whoever started it.
  ptrace:            { x64: 101, arm64: 117 },
  process_vm_readv:  { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  pidfd_getfd:       { x64: 438, arm64: 438 },
  kcmp:              { x64: 312, arm64: 272 },
  // The keys of the session that Troupe was started in.
  add_key:           { x64: 248, arm64: 217 },
  request_key:       { x64: 249, arm64: 218 },
  keyctl:            { x64: 250, arm64: 219 },
  // Large parts of the kernel that tests and builds have no use for, and in which holes are found again and again.
  io_uring_setup:    { x64: 425, arm64: 425 },
  io_uring_enter:    { x64: 426, arm64: 426 },
  io_uring_register: { x64: 427, arm64: 427 },
  userfaultfd:       { x64: 323, arm64: 282 },
  bpf:               { x64: 321, arm64: 280 },
  perf_event_open:   { x64: 298, arm64: 241 },
} as const

type Architecture = 'x64' | 'arm64'

// oxfmt-ignore
const machine: Record<Architecture, { audit: number; socket: number }> = {
  x64:   { audit: 0xc000003e, socket: 41 },
  arm64: { audit: 0xc00000b7, socket: 198 },
}

/** Numbers from here on mean the same calls in another form, on x64 alone. */
const X32 = 0x40000000

/** Sockets of this machine and of the internet. Of what the kernel itself answers only the list of addresses, which servers print. */
const families = { unix: 1, internet: 2, internet6: 10, kernel: 16 }
const ROUTES = 0

/** Where the kernel puts what it asks about: the call, the architecture, the low half of each argument. */
const at = { call: 0, architecture: 4, first: 16, third: 32 }

const answer = {
  allow: 0x7fff0000,
  kill: 0x80000000,
  notPermitted: 0x00050000 | 1,
  noSuchCall: 0x00050000 | 38,
  noSuchFamily: 0x00050000 | 97,
}

type Step = readonly [code: number, yes: number, no: number, value: number]

/** The filter that a command runs under, as the kernel takes it; null where we do not know the numbers of this architecture. */
export function seccompFilter(architecture: string): Buffer | null {
  if (architecture !== 'x64' && architecture !== 'arm64') return null
  const { audit, socket } = machine[architecture]
  const numbers = Object.values(refused).map((numbersOf) => numbersOf[architecture])
  const steps: Step[] = [
    load(at.architecture),
    skipIf(audit, 1),
    give(answer.kill), // a program of another architecture would call by other numbers
    load(at.call),
    ...(architecture === 'x64' ? [unlessAtLeast(X32), give(answer.noSuchCall)] : []),
    ...numbers.flatMap((number) => [unless(number), give(answer.notPermitted)]),
    skipIf(socket, 1),
    give(answer.allow),
    load(at.first),
    ...[families.unix, families.internet, families.internet6].flatMap((family) => [unless(family), give(answer.allow)]),
    skipIf(families.kernel, 1),
    give(answer.noSuchFamily),
    load(at.third),
    unless(ROUTES),
    give(answer.allow),
    give(answer.noSuchFamily),
  ]
  return Buffer.concat(steps.map(encoded))
}

function load(offset: number): Step {
  return [0x20, 0, 0, offset]
}

function give(value: number): Step {
  return [0x06, 0, 0, value]
}

/** Leaves out steps where the loaded value is this one. */
function skipIf(value: number, steps: number): Step {
  return [0x15, steps, 0, value]
}

/** Leaves out the next step unless the loaded value is this one. */
function unless(value: number): Step {
  return [0x15, 0, 1, value]
}

function unlessAtLeast(value: number): Step {
  return [0x35, 0, 1, value]
}

function encoded([code, yes, no, value]: Step): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt16LE(code, 0)
  bytes.writeUInt8(yes, 2)
  bytes.writeUInt8(no, 3)
  bytes.writeUInt32LE(value, 4)
  return bytes
}
