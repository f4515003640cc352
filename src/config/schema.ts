import * as z from 'zod'
import { attachmentKinds } from '../domain/attachment.ts'
import { NetworkSetting } from '../domain/network/policy.ts'
import { Limits } from '../domain/run.ts'
import { ServerName, ServerSettings } from '../outside/settings.ts'
import { hostedKindNames, hostedKinds, serviceTiers } from '../providers/settings.ts'

const name = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'lower-case letters, digits, - and _, starting with a letter')
const envName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable, never the key itself')
/** A tool of a server, as a model calls it. */
const ServerToolName = z.string().regex(/^mcp__[A-Za-z][\w-]{0,63}$/, 'the name of a tool')
const seconds = z.number().positive().max(86_400)
const modelName = z
  .string()
  .regex(/^(default|rehearsal|(scripted|replay):.+|[^/\s]+\/\S+)$/, 'provider/model, or scripted:FILE, replay:FILE, rehearsal')

/** A model name without its provider, or the start of one. */
const bareModel = z.string().regex(/^[A-Za-z][\w.:-]*\*?$/, 'the name of a model without its provider, or the start of one and *')

/** A source of models: one of the known kinds elsewhere, or any OpenAI-compatible server. Keys are named by their variable, so that a configuration can be shown to anyone. */
const ProviderConfig = z.strictObject({
  kind: z
    .enum([...hostedKindNames, 'openai-compatible', 'scripted', 'replay'])
    .default('openai-compatible')
    .describe('the protocol it speaks'),
  base_url: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('its address, if it is not the vendor’s own'),
  api_key_env: envName.optional().describe('the variable that holds its key'),
  context_window: z.int().positive().optional().describe('how many tokens its models take'),
  api: z.enum(['responses', 'chat']).optional().describe('which of the protocols of OpenAI it is asked in; `chat`, but at api.openai.com'),
  service_tier: z.enum(serviceTiers).optional().describe('the speed and price tier of a server that speaks a protocol of OpenAI'),
  takes: z.array(z.enum(attachmentKinds)).optional().describe('what its models can be shown beside words; by their names when left out'),
  first_byte_s: seconds
    .optional()
    .describe('for how long its server may send nothing before its answer; 60, or 300 for a server of your own'),
  between_bytes_s: seconds.optional().describe('for how long it may fall silent within an answer; as long as before it'),
})

/** What an outside agent is called: `agent/NAME` is its model. */
export const AgentName = name

/** An outside coding agent: a command line in which {prompt}, {prompt_file}, {workspace} and {model} are filled in. */
export type AgentConfig = z.infer<typeof AgentConfig>
export const AgentConfig = z.strictObject({
  command: z.string().min(1).describe('the program of an outside coding agent; `agent/NAME` is its model name'),
  args: z.array(z.string()).default([]).describe('its arguments; {prompt}, {prompt_file}, {workspace} and {model} are filled in'),
  protocol: z
    .enum(['command', 'acp'])
    .default('command')
    .describe(
      '`acp` speaks the Agent Client Protocol with it, so that its calls, thoughts and questions are seen; `command` starts it for each prompt',
    ),
  env: z
    .array(z.union([envName, z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*=/, 'NAME=value')]))
    .default([])
    .describe('the variables it is given: by name with the value they have here, or NAME=value; it sees no others'),
  mounts: z
    .array(z.string().regex(/^~?\//, 'an absolute path, or one that starts with ~/'))
    .default([])
    .describe('folders it keeps its own settings and logins in'),
  network: NetworkSetting.default('on').describe(
    'whom it reaches beside what `sandbox.network` and its role allow: `on`, or a list; `claude`, `codex` and `gemini` are ready lists',
  ),
})

const notifiedUrl = z
  .url({ protocol: /^https?$/ })
  .refine(
    (url) => !URL.canParse(url) || (new URL(url).username === '' && new URL(url).password === ''),
    'an address without a user or password',
  )

/** Whom to tell that something waits for a person. Of the user alone: a project could send away what is asked, or run a program. */
const NotificationsConfig = z.strictObject({
  webhook: z
    .strictObject({
      url: notifiedUrl.describe('where a JSON body is posted'),
      secret_env: envName.optional().describe('the variable with the secret that signs the body'),
    })
    .optional(),
  ntfy: z
    .strictObject({
      url: notifiedUrl
        .refine((url) => !URL.canParse(url) || /[^/]/.test(new URL(url).pathname), 'the address of a topic such as https://ntfy.sh/TOPIC')
        .describe('the address of a topic'),
      token_env: envName.optional().describe('the variable with an access token'),
    })
    .optional(),
  command: z
    .array(z.string().min(1))
    .min(1)
    .optional()
    .describe('a program with its arguments; it reads JSON, and has TROUPE_TITLE, TROUPE_TEXT and TROUPE_LINK'),
})

/** Everything that can be configured; a key that is not here is refused. */
export type Config = z.infer<typeof Config>
export const Config = z.strictObject({
  model: modelName
    .nullable()
    .default(null)
    .meta({
      description: 'the model of roles that say `default`: provider/model; else the first provider with a key',
      examples: [`anthropic/${hostedKinds.anthropic.default_model}`],
    }),
  store: z
    .string()
    .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, 'sqlite:PATH or postgres://…')
    .nullable()
    .default(null)
    .describe('`sqlite:PATH` or `postgres://…`; else a file in the home'),
  port: z.int().min(0).max(65535).default(4747).describe('where the server listens, or the next free one'),
  providers: z.record(name, ProviderConfig).default({}),
  models: z
    .record(bareModel, z.string().regex(/^[^/\s]+(\/\S+)?$/, 'a provider, or provider/model'))
    .default({})
    .describe(
      'whose model a bare name such as `grok-code-fast-1` is: a provider, or provider/model; a name that ends in * matches every name that starts with it',
    ),
  agents: z.record(AgentName, AgentConfig).default({}),
  mcp_servers: z.record(ServerName, ServerSettings).default({}),
  approvals: z
    .record(z.union([name, ServerToolName]), z.enum(['allow', 'ask', 'deny']))
    .default({})
    .meta({
      description: 'by the name of a tool: allow its calls, ask before them, or deny them',
      examples: [{ delete_file: 'ask' }],
    }),
  limits: z.strictObject(Limits.shape).prefault({}).describe('the limits of a run; its next request is refused once one is reached'),
  sandbox: z
    .strictObject({
      network: NetworkSetting.default('off').describe(
        'whom commands reach: `off`, `on`, or a list of domains such as `[npm, example.org, "*.example.org:443"]`; `npm`, `pypi`, `crates`, `go`, `github`, `claude`, `codex` and `gemini` are ready lists',
      ),
      unsandboxed: z
        .boolean()
        .default(false)
        .describe('whether roles that may change everything can run commands where there is no sandbox'),
    })
    .prefault({})
    .describe('what commands may do beyond their workspace'),
  checkpoints: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe('whether files are kept before an agent of a chat or a run changes them, so that you can undo it'),
      max_age_days: z.int().min(1).default(14).describe('how long they are kept'),
      max_mb: z.int().min(10).default(2_000).describe('how much all of them may take; the oldest go first'),
      max_file_mb: z
        .int()
        .min(1)
        .default(50)
        .describe('larger files are not kept; you are asked before the first command that could take one away'),
    })
    .prefault({})
    .describe('what is kept for undo'),
  notifications: NotificationsConfig.prefault({}).describe('whom a running server tells that something waits for you'),
  allowed_secrets: z.array(z.string().min(1)).default([]).describe('files that may be read although they look like secrets'),
})
