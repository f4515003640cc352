import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StepInput } from '../../src/providers/script/script.ts'
import type { SeenRequest } from '../model-server.ts'

/** Where `npm run test:agents` installs them. */
export const agentsFolder = join(import.meta.dirname, '../../node_modules/.cache/agents')

/** A program that nobody here wrote, as a person would configure it, with a model server of ours behind it. */
export interface RealAgent {
  name: string
  program: string
  args: readonly string[]
  /** What it is given beside its program, for a model server at an address. */
  env: (url: string) => readonly string[]
  /** Its own files, below the home, and what is in them. */
  files: (url: string) => Readonly<Record<string, string>>
  /** How its model has it write a file. */
  write: (path: string, text: string) => { tool: RegExp; input: (tool: string) => Record<string, unknown> }
}

const shell = (path: string, text: string) => `printf '%s' '${text}' > '${path}'`

// oxfmt-ignore
export const realAgents: readonly RealAgent[] = [
  {
    name: 'claude', program: 'claude-agent-acp', args: [],
    env: (url) => ['ANTHROPIC_API_KEY=sk-stand-in', `ANTHROPIC_BASE_URL=${url}`, 'IS_SANDBOX=1', 'DISABLE_TELEMETRY=1', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1'],
    files: () => ({ '.claude/settings.json': '{}', '.claude.json': '{}' }),
    write: (path, text) => ({ tool: /^Write$/, input: () => ({ file_path: path, content: text }) }),
  },
  {
    name: 'codex', program: 'codex-acp', args: [],
    env: () => ['OPENAI_API_KEY=sk-stand-in', 'NO_BROWSER=1', 'MODEL_PROVIDER=loopback'],
    files: (url) => ({ '.codex/config.toml': `model = "loopback"\nmodel_provider = "loopback"\n[model_providers.loopback]\nname = "loopback"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n` }),
    write: (path, text) => ({ tool: /^(exec_command|shell_command|shell)$/, input: (tool) => tool === 'exec_command' ? { cmd: shell(path, text) } : { command: tool === 'shell' ? ['bash', '-c', shell(path, text)] : shell(path, text) } }),
  },
  {
    name: 'gemini', program: 'gemini', args: ['--acp'],
    env: (url) => ['GEMINI_API_KEY=stand-in', `GOOGLE_GEMINI_BASE_URL=${url}`, 'GEMINI_CLI_TRUST_WORKSPACE=true', 'GEMINI_TELEMETRY_ENABLED=false'],
    files: () => ({ '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } }, general: { enableAutoUpdate: false }, privacy: { usageStatisticsEnabled: false } }) }),
    write: (path, text) => ({ tool: /^write_file$/, input: () => ({ file_path: path, content: text }) }),
  },
  {
    name: 'opencode', program: 'opencode', args: ['acp'],
    env: () => ['OPENCODE_DISABLE_AUTOUPDATE=1', 'OPENCODE_DISABLE_MODELS_FETCH=1'],
    files: (url) => ({ '.config/opencode/opencode.json': JSON.stringify({ autoupdate: false, model: 'loopback/loopback', provider: { loopback: { npm: '@ai-sdk/openai-compatible', options: { baseURL: `${url}/v1`, apiKey: 'x' }, models: { loopback: {} } } } }), '.local/share/opencode/auth.json': '{}', '.cache/opencode/version': '' }),
    write: (path, text) => ({ tool: /^write$/, input: () => ({ filePath: path, content: text }) }),
  },
]

export function programOf({ program }: RealAgent): string {
  return join(agentsFolder, 'node_modules/.bin', program)
}

/** Why the real programs cannot be tried here; undefined where they can. */
export function whyNot(agent: RealAgent): string | undefined {
  return existsSync(programOf(agent)) ? undefined : `${agent.program} is not installed: npm run test:agents installs it`
}

/** Its model: has it write a file once, whichever of its requests offers the tool, and then says that it is done. */
export function writesOnce({ tool, input }: ReturnType<RealAgent['write']>): StepInput<SeenRequest>[] {
  let wrote = false
  return [
    ({ body }) => {
      const name = toolNames(body).find((one) => tool.test(one))
      if (name === undefined || wrote) return { text: 'Done.', repeat: true }
      wrote = true
      return { calls: [{ tool: name, input: input(name) }], repeat: true }
    },
  ]
}

/** Each wire lists its tools in its own way. */
function toolNames(body: unknown): string[] {
  const found = [...JSON.stringify((body as { tools?: unknown }).tools ?? []).matchAll(/"name":"([^"]+)"/g)]
  return found.map(([, name = '']) => name)
}
