import { execFileSync, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { text } from 'node:stream/consumers'
import { findProgram } from './process/program.ts'
import { preparedSandboxes } from './prepared/prepared.ts'
import { runCommand } from './run-command.ts'
import type { Command, CommandResult, SandboxKind } from './sandbox.ts'

/** Someone who runs commands in a test: this process, or, where it is root's, an ordinary user as well. */
export interface Actor {
  name: string
  /** Runs commands one after the other, as those of one run: each in a sandbox that waited for it. */
  run(kind: SandboxKind, commands: readonly Command[]): Promise<CommandResult[]>
  /** Gives a folder to the actor, who must own a workspace to change it. */
  own(folder: string): void
}

const NOBODY = '65534'
/** Run by itself it runs the commands that it reads from its input, and writes what came of them. */
export const actorFile = fileURLToPath(import.meta.url)
const isRoot = process.getuid?.() === 0

/** Every kind of sandbox that starts on this machine. Whether it holds is what the tests are about. */
export async function kindsHere(): Promise<SandboxKind[]> {
  const kinds = ['namespaces', 'bubblewrap'] as const
  const starts = await Promise.all(
    kinds.map((kind) => runCommand({ argv: ['true'], root: tmpdir(), access: 'read' }, { kind }).catch(() => null)),
  )
  return kinds.filter((_, at) => starts[at]?.exit_code === 0)
}

/** Everyone who can act on this machine: an ordinary user beside root, where they may run what root installed. */
export function actorsHere(): Actor[] {
  return isRoot && findProgram('setpriv') !== null && othersMayRun(process.execPath) ? [myself, nobody] : [myself]
}

/** Not so where it was installed under a umask such as 077. */
function othersMayRun(path: string): boolean {
  const above = dirname(path)
  return (statSync(path).mode & 0o001) !== 0 && (above === path || othersMayRun(above))
}

const myself: Actor = { name: isRoot ? 'root' : 'an ordinary user', run: runAll, own: () => undefined }

const nobody: Actor = {
  name: 'an ordinary user',
  own: (folder) => execFileSync('chown', ['-R', `${NOBODY}:${NOBODY}`, folder]),
  run: (kind, commands) => {
    const rights = ['--reuid', NOBODY, '--regid', NOBODY, '--clear-groups', '--']
    return runApart(['setpriv', ...rights, process.execPath, actorFile], kind, commands, { HOME: '/var/tmp' })
  },
}

/** The same actors in a process of their own each time, which has seen nothing of the machine yet. */
export function freshActorsHere(): Actor[] {
  const fresh: Actor = { ...myself, run: (kind, commands) => runApart([process.execPath, actorFile], kind, commands) }
  return actorsHere().map((actor) => (actor === myself ? fresh : actor))
}

async function runApart(argv: readonly string[], kind: SandboxKind, commands: readonly Command[], env: Record<string, string> = {}) {
  const [file = '', ...args] = argv
  const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, ...env } })
  child.stdin.end(JSON.stringify({ kind, commands }))
  return JSON.parse(await text(child.stdout)) as CommandResult[] // written by the lines at the end of this file
}

async function runAll(kind: SandboxKind, commands: readonly Command[]): Promise<CommandResult[]> {
  const prepared = preparedSandboxes({ kind })
  const results: CommandResult[] = []
  for (const command of commands) {
    await prepared.prepare(command)
    results.push(await runCommand({ ...command, prepared }, { kind }))
  }
  prepared.close()
  return results
}

if (process.argv[1] === actorFile) {
  const asked = JSON.parse(await text(process.stdin)) as { kind: SandboxKind; commands: Command[] } // written by `nobody`
  process.stdout.write(JSON.stringify(await runAll(asked.kind, asked.commands)))
}
