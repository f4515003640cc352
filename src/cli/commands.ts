import type { Command } from 'commander'

/** One noun of the command line. Its module is loaded only when the noun is used. */
export interface CommandEntry {
  name: string
  summary: string
  /** The verb that is meant when none is given. */
  verb?: string
  /** It runs for as long as somebody needs it. */
  lives?: true
  /** What its module exports adds its arguments, options, verbs and actions to the noun it is given. */
  load: () => Promise<{ define: (command: Command) => void }>
}

/** Every noun; adding one is adding a line. */
// oxfmt-ignore
export const commands: readonly CommandEntry[] = [
  { name: 'demo',       summary: 'show what is enforced on a throw-away project, without a key', load: () => import('./demo/demo.ts') },
  { name: 'init',       summary: 'write the settings file of a project',                        load: () => import('./init.ts') },
  { name: 'serve',      summary: 'serve the page and the API on this machine (the default)', load: () => import('./serve.ts'), lives: true },
  { name: 'run',        summary: 'run a role headless',       load: () => import('./run/run.ts') },
  { name: 'runs',       summary: 'list agent runs: what they did, what they cost, how to continue',  load: () => import('./run/runs.ts') },
  { name: 'commands',   summary: 'list, allow and revoke commands that run without being asked about', load: () => import('./run/allowed.ts'), verb: 'list' },
  { name: 'hosts',      summary: 'list and take back hosts that were allowed or refused for a project', load: () => import('./run/hosts.ts'), verb: 'list' },
  { name: 'quotas',     summary: 'list the limits of providers that are reached; go on now or use another model', load: () => import('./run/quotas.ts'), verb: 'list' },
  { name: 'chat',       summary: 'plan, approve and act with an agent in the terminal',        load: () => import('./chat/chat.ts') },
  { name: 'roles',      summary: 'list, show, check and explain roles',                       load: () => import('./roles/roles.ts'), verb: 'list' },
  { name: 'skills',     summary: 'list and show the skills agents can read', load: () => import('./roles/skills.ts'), verb: 'list' },
  { name: 'workflow',   summary: 'list, validate, write and follow workflows',                   load: () => import('./workflow/workflow.ts'), verb: 'list' },
  { name: 'job',        summary: 'run Worker and Supervisor jobs with a full record', load: () => import('./job/job.ts'), verb: 'list' },
  { name: 'board',      summary: 'plan, work, review and merge the tasks of a goal',               load: () => import('./board/board.ts'), verb: 'list' },
  { name: 'team',       summary: 'run planner, coders and code reviewers on the board',   load: () => import('./team/team.ts'), lives: true },
  { name: 'agent',      summary: 'run one agent on the board',                            load: () => import('./agent.ts'), lives: true },
  { name: 'agents',     summary: 'list, check and add outside agents such as Claude Code', load: () => import('./agents.ts'), verb: 'list' },
  { name: 'mcp',        summary: 'serve the workflows, and an agent its part of the board, to an MCP client over stdin and stdout; add, list and review MCP servers', load: () => import('./mcp.ts'), lives: true },
  { name: 'acp',        summary: 'serve Troupe as an agent to an editor over stdin and stdout (ACP)', load: () => import('./acp.ts'), lives: true },
  { name: 'export',     summary: 'write everything in the store to a file',                     load: () => import('./backup.ts') },
  { name: 'import',     summary: 'read an export into an empty store',                          load: () => import('./backup.ts') },
  { name: 'status',     summary: 'show what Troupe runs on',                                     load: () => import('./system.ts') },
  { name: 'search',     summary: 'find chats, tasks, jobs, runs and messages by their words',   load: () => import('./system.ts') },
  { name: 'needs',      summary: 'list everything that waits for you',                           load: () => import('./system.ts') },
  { name: 'running',    summary: 'list every agent that works now',                              load: () => import('./system.ts') },
  { name: 'projects',   summary: 'list the folders that were worked in',                         load: () => import('./system.ts') },
  { name: 'config',     summary: 'show the settings in force and where each came from',       load: () => import('./config.ts'), verb: 'show' },
  { name: 'doctor',     summary: 'check this machine and suggest fixes',              load: () => import('./doctor.ts') },
  { name: 'completion', summary: 'print the completion script of a shell',                    load: () => import('./completion.ts') },
]

/** How each noun is typed, the most usual first; its help ends with them. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  demo: ['demo', 'demo --dir ~/troupe-demo'],
  init: ['init', 'init --yes --no-import', 'init --dry-run'],
  serve: ['serve', 'serve --port 8080'],
  run: ['run "Fix the failing test"', 'run "Where are prices read?" --role planner', 'run - --max-budget-usd 0.50 --json < request.txt'],
  runs: ['runs', 'runs --json', 'runs show run_0mb2k7q1'],
  commands: ['commands', 'commands allow "npm test *"', 'commands revoke allowed_0mb2k7q1'],
  hosts: ['hosts', 'hosts revoke example.org:443'],
  quotas: ['quotas', 'quotas continue anthropic', 'quotas use agent/claude openai/gpt-5'],
  chat: ['chat', 'chat "Fix the failing test"', 'chat --demo', 'chat list price', 'chat delete chat_0mb2k7q1'],
  roles: ['roles', 'roles show planner', 'roles explain planner create_file path=a.txt', 'roles check .troupe/roles/mine.md'],
  skills: ['skills', 'skills show pdf-forms'],
  workflow: ['workflow', 'workflow show code-review', 'workflow run code-review', 'workflow new my-review'],
  job: ['job create greet --objective "Greet the world" --activate', 'job run greet', 'job approve greet', 'job replay greet'],
  board: ['board init "Page every list by 50" --spec specs/paging.md', 'board approve-plan', 'board next', 'board list --status BLOCKED'],
  team: ['team --goal "Page every list by 50" --spec specs/paging.md --coders 2', 'team --planner --until-done'],
  agent: ['agent coder', 'agent code_reviewer --until-done'],
  agents: ['agents', 'agents add claude', 'agents check claude'],
  mcp: ['mcp', 'mcp list', 'mcp add files --may read -- mcp-server-filesystem {workspace}', 'mcp review files'],
  acp: ['acp', 'acp --role actor'],
  export: ['export backup.troupe'],
  import: ['import backup.troupe'],
  status: ['status', 'status --json'],
  search: ['search parser cursor', 'search "page size" --json'],
  needs: ['needs', 'needs --json'],
  running: ['running', 'running --json'],
  projects: ['projects', 'projects --json'],
  config: ['config', 'config set limits.max_turns 50', 'config path', 'config check'],
  doctor: ['doctor', 'doctor --json'],
  completion: ['completion bash >> ~/.bashrc', 'completion zsh', 'completion fish'],
}
