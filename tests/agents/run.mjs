// The real adapters and programs from npm, driven over the Agent Client Protocol with a model server of ours behind them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled } from '../../scripts/install.mjs'
import { main, pinnedNode, root, run, step } from '../../scripts/steps.mjs'

const programs = [
  '@agentclientprotocol/claude-agent-acp@0.100.0',
  '@agentclientprotocol/codex-acp@2.6.0',
  '@google/gemini-cli@0.61.0',
  'opencode-ai@1.18.33',
]

await main(async () => {
  await ensureInstalled()
  await step('installing the agents (1.2 GB, in node_modules/.cache/agents)', install)
  await run(pinnedNode, ['--test', '--test-isolation=none', 'tests/agents/real-agents.test.ts'])
})

/** Only this script needs them, so they are not among the dependencies of the checkout. */
async function install() {
  const folder = join(root, 'node_modules/.cache/agents')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  await run('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...programs], { cwd: folder })
}
