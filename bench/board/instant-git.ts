import childProcess, { type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { EventEmitter } from 'node:events'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { basename, join } from 'node:path'

type Spawn = typeof childProcess.spawn
const { spawn } = childProcess

/** What of a worktree is committed, and where it is. */
interface Checkout {
  head: string
  committed: Set<string>
}

/**
 * Has every git answered at once, as it would be for a task that adds a file, so that what is left is our own work. Beside real
 * gits no clock tells it: they take the processor's caches with them while they are waited for. A git that is not known here fails.
 */
export function instantGit(root: string) {
  const told = { gits: 0 }
  const checkouts = new Map<string, Checkout>()

  function start(_: string, [verb = '', ...args]: string[], { cwd }: { cwd: string }): ChildProcess {
    told.gits += 1
    const git = Object.assign(new EventEmitter(), streams())
    setImmediate(() => {
      const output = answer({ root, checkouts, cwd }, verb, args)
      if (output !== '') git.stdout.emit('data', Buffer.from(output))
      git.emit('close', 0, null)
    })
    return git as unknown as ChildProcess // the members that sandbox/run-process.ts uses; it kills nothing that has no pid
  }

  replaceSpawn(Object.assign(start as unknown as Spawn, {})) // all our gits are started with these three arguments
  return { told, stop: () => replaceSpawn(spawn) }
}

/** The repository and the folder that a git is started in. */
interface Asked {
  root: string
  checkouts: Map<string, Checkout>
  cwd: string
}

/** What git would print. */
function answer({ root, checkouts, cwd }: Asked, verb: string, args: readonly string[]): string {
  const checkout = checkouts.get(basename(cwd))
  switch (verb) {
    case 'worktree':
      if (args[0] === 'add') layOut(root, checkouts, args)
      else clear(root, args.at(-1) ?? '')
      return ''
    case 'status':
      return statusOf(checkout, cwd)
    case 'commit':
      if (checkout === undefined) throw new Error(`there is no worktree ${cwd}`)
      readdirSync(cwd).forEach((file) => checkout.committed.add(file))
      checkout.head = newId()
      writeFileSync(join(root, '.git/refs/heads/task', basename(cwd)), `${checkout.head}\n`)
      return ''
    case 'update-ref':
      if (args[0] === '-d') rmSync(join(root, '.git', args[1] ?? ''))
      else writeFileSync(join(root, '.git', args[0] ?? ''), `${args[1]}\n`)
      return ''
    case 'diff-tree':
      return ':000000 100644 0000000 1234567 A\0new.txt\x001\t0\tnew.txt\0'
    case 'merge-tree':
      return `${newId()}\0`
    case 'commit-tree':
      return `${newId()}\n`
    case 'for-each-ref':
    case 'merge-base':
    case 'rev-list':
    case 'update-index':
      return ''
    default:
      throw new Error(`git ${verb} is not known to this bench`)
  }
}

/** Every module that starts processes sees the replacement. */
export function replaceSpawn(replacement: Spawn): void {
  childProcess.spawn = replacement
  syncBuiltinESMExports()
}

const newId = () => randomBytes(20).toString('hex')

const stream = () => Object.assign(new EventEmitter(), { destroy: () => undefined, end: () => undefined })

function streams() {
  const [stdin, stdout, stderr] = [stream(), stream(), stream()]
  return { stdin, stdout, stderr, stdio: [stdin, stdout, stderr] }
}

/** The files by which a worktree, its record and its branch are known. */
function layOut(root: string, checkouts: Map<string, Checkout>, args: readonly string[]): void {
  const [path = '', head = ''] = args.slice(-2)
  const name = basename(path)
  const record = join(root, '.git/worktrees', name)
  for (const folder of [path, record, join(root, '.git/refs/heads/task')]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(path, '.git'), `gitdir: ${record}\n`)
  writeFileSync(join(record, 'gitdir'), `${join(path, '.git')}\n`)
  writeFileSync(join(record, 'commondir'), '../..\n')
  writeFileSync(join(record, 'HEAD'), `ref: refs/heads/task/${name}\n`)
  writeFileSync(join(root, '.git/refs/heads/task', name), `${head}\n`)
  checkouts.set(name, { head, committed: new Set(['.git']) })
}

function clear(root: string, path: string): void {
  rmSync(path, { recursive: true })
  rmSync(join(root, '.git/worktrees', basename(path)), { recursive: true })
}

function statusOf(checkout: Checkout | undefined, cwd: string): string {
  const added = readdirSync(cwd).filter((file) => !checkout?.committed.has(file))
  const lines = [`# branch.oid ${checkout?.head}`, `# branch.head task/${basename(cwd)}`, ...added.map((file) => `? ${file}`)]
  return lines.map((line) => `${line}\0`).join('')
}
