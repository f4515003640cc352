import { flushCompileCache } from 'node:module'
import { playRun } from '../../src/agent/loop.ts'
import { resumeRun } from '../../src/agent/resume.ts'
import { startRun } from '../../src/agent/start.ts'
import { plainAgent } from '../../src/agent/test-agent.ts'
import { readScript } from '../../src/providers/script.ts'
import { scriptedProvider } from '../../src/providers/scripted.ts'
import { detectSandbox } from '../../src/sandbox/detect.ts'
import { openStore } from '../../src/store/open.ts'
import { runs } from '../../src/store/tables.ts'

flushCompileCache() // a killed process never gets to it
/** A process that plays one run of a script, from its start or from where a killed one left it, and prints its events. */
const [storeFile, workspace, scriptFile] = process.argv.slice(2)
if (storeFile === undefined || workspace === undefined || scriptFile === undefined) throw new Error('run-player STORE WORKSPACE SCRIPT')

const driver = await openStore(`sqlite:${storeFile}`)
const { replies, ...options } = await readScript(scriptFile)
const agent = await plainAgent({
  driver,
  performerFor: async () => ({ provider: scriptedProvider(replies, options), model: 'script' }),
  approvals: { tools: { execute_command: 'allow', delete_file: 'allow' }, never_ask: false },
  sandbox: await detectSandbox(),
  onEvent: (event) => process.stdout.write(`${JSON.stringify(event)}\n`),
})
const [unfinished] = await runs.list(driver, { where: { status: ['running', 'waiting'] } })
const held = unfinished
  ? await resumeRun(agent, unfinished.item.id)
  : await startRun(agent, { agent_role: 'actor', model: 'script', workspace, prompt: 'play the script', limits: { max_turns: 500 } })
await playRun(agent, held, new AbortController().signal)
await driver.close()
