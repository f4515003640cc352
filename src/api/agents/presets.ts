/** What is known of an agent before anybody configures it; each speaks the Agent Client Protocol. */
export interface AgentPreset {
  command: string
  args: readonly string[]
  env: readonly string[]
  /** Where it keeps its settings and its login. */
  mounts: readonly string[]
  /** The ready list of whom it reaches; everybody where there is none. */
  network?: readonly string[]
  /** The line that installs it. */
  install: string
}

/** The agents that can be added by their name alone. */
export const agentPresets: Readonly<Record<string, AgentPreset>> = {
  claude: {
    command: 'claude-agent-acp',
    args: [],
    env: ['ANTHROPIC_API_KEY', 'IS_SANDBOX=1'],
    mounts: ['~/.claude', '~/.claude.json'],
    network: ['claude'],
    install: 'npm install -g @agentclientprotocol/claude-agent-acp',
  },
  codex: {
    command: 'codex-acp',
    args: [],
    env: ['OPENAI_API_KEY', 'NO_BROWSER=1'],
    mounts: ['~/.codex'],
    network: ['codex'],
    install: 'npm install -g @agentclientprotocol/codex-acp',
  },
  gemini: {
    command: 'gemini',
    args: ['--acp'],
    env: ['GEMINI_API_KEY', 'GEMINI_CLI_TRUST_WORKSPACE=true'],
    mounts: ['~/.gemini'],
    network: ['gemini'],
    install: 'npm install -g @google/gemini-cli',
  },
  opencode: {
    command: 'opencode',
    args: ['acp'],
    env: ['ANTHROPIC_API_KEY'],
    mounts: ['~/.config/opencode', '~/.local/share/opencode', '~/.cache/opencode'],
    install: 'npm install -g opencode-ai',
  },
}

export function presetOf(name: string): AgentPreset | undefined {
  return Object.hasOwn(agentPresets, name) ? agentPresets[name] : undefined
}
