// The official conformance tool against `troupe serve` and against fixtures behind the same door, and the official inspector against `troupe mcp`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { ensureInstalled } from '../../scripts/install.mjs'
import { main, pinnedNode, root, run, step } from '../../scripts/steps.mjs'
import { tokenProxy } from './token-proxy.mjs'

const here = import.meta.dirname
const troupe = join(root, 'src/main.ts')

await main(async () => {
  await ensureInstalled()
  await installTools()
  const home = mkdtempSync(join(tmpdir(), 'troupe-conformance-'))
  try {
    const served = await serve(home, [troupe, 'serve', '--port', '0', '--json'])
    await conformance(home, served, 'baseline')
    await conformance(home, await serve(home, [join(here, 'serve-fixtures.mjs')]), 'fixtures')
    await inspection(home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

/** 144 MB that only this script needs, so they are not among the dependencies of the checkout. */
async function installTools() {
  if (existsSync(tool('conformance')) && existsSync(tool('mcp-inspector'))) return
  await step('install the conformance tool and the inspector', () => run('npm', ['ci', '--prefix', here]))
}

/** Both protocols against one server, with the exceptions that are named for it. */
async function conformance(home, server, exceptions) {
  const proxy = await tokenProxy(server.port, server.token)
  try {
    for (const revision of ['2026-07-28', '2025-11-25']) {
      const baseline = join(here, `${exceptions}-${revision}.yml`)
      const url = `http://127.0.0.1:${proxy.port}/mcp`
      const output = ['-o', join(home, `${exceptions}-${revision}`)]
      const args = ['server', '--url', url, '--requirements', revision, '--expected-failures', baseline, ...output]
      await step(`conformance to ${revision} (${exceptions})`, () => run(pinnedNode, [tool('conformance'), ...args]))
    }
  } finally {
    proxy.close()
    server.child.kill()
  }
}

/** The tool list in strict mode (a schema that is not portable fails) and one call, for clients of both eras. */
async function inspection(home) {
  const options = { env: { ...process.env, HOME: home }, cwd: home }
  for (const era of ['legacy', 'modern']) {
    const ask = (...args) =>
      run(pinnedNode, [tool('mcp-inspector'), '--cli', pinnedNode, troupe, 'mcp', '--protocol-era', era, ...args], options)
    await step(`inspect the tools as a ${era} client`, () => ask('--method', 'tools/list', '--strict'))
    await step(`call a tool as a ${era} client`, () => ask('--method', 'tools/call', '--tool-name', 'workflow_list'))
  }
}

async function serve(home, args) {
  const child = spawn(pinnedNode, args, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { port, token } = JSON.parse(line)
  return { child, port, token }
}

function tool(name) {
  return join(here, 'node_modules', '.bin', name)
}
