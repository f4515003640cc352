import { enableCompileCache } from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import packageJson from '../package.json' with { type: 'json' }

// Before any other import: what is loaded after this line is compiled once per version, not once per start.
// A demo leaves nothing in anybody's home, not even that.
const { TROUPE_HOME: home, XDG_CACHE_HOME: cache } = process.env
const folder = home ? join(home, 'cache') : join(cache?.startsWith('/') ? cache : join(homedir(), '.cache'), 'troupe')
// To make a folder in /proc never ends; such a home, or a relative one, is refused later, with a sentence.
if (process.argv[2] !== 'demo' && /^\/(?!(proc|sys|dev)\/)/.test(folder)) enableCompileCache(folder)

if (process.argv[2] === '--version' || process.argv[2] === '-V') process.stdout.write(`${packageJson.version}\n`)
else void start()

/** Not awaited at the top: the bundle is CommonJS, which knows no waiting module. */
async function start(): Promise<void> {
  const { runCommandLine } = await import('./cli/program.ts')
  process.exitCode = await runCommandLine(process.argv.slice(2), packageJson.version)
}
