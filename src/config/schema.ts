import * as z from 'zod'
import { Limits } from '../domain/run.ts'

const name = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'lower-case letters, digits, - and _, starting with a letter')
const envName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable, never the key itself')
const modelName = z
  .string()
  .regex(/^(default|rehearsal|(scripted|replay):.+|[^/\s]+\/\S+)$/, 'provider/model, or scripted:FILE, replay:FILE, rehearsal')

/** A source of models: one of the known kinds elsewhere, or any OpenAI-compatible server. Keys are named by their variable, so that a configuration can be shown to anyone. */
const ProviderConfig = z.strictObject({
  kind: z.enum(['openai', 'anthropic', 'google', 'openrouter', 'openai-compatible', 'scripted', 'replay']).default('openai-compatible'),
  base_url: z.url({ protocol: /^https?$/ }).optional(),
  api_key_env: envName.optional(),
  context_window: z.int().positive().optional(),
})

/** An outside coding agent: a command line in which {prompt}, {prompt_file}, {workspace} and {model} are filled in. */
const AgentConfig = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /** The variables it is given, by name; it sees no others. */
  env: z.array(envName).default([]),
  /** Folders it keeps its own settings and logins in. */
  mounts: z.array(z.string().startsWith('/', 'an absolute path')).default([]),
})

/** Everything that can be configured; a key that is not here is refused. */
export type Config = z.infer<typeof Config>
export const Config = z.strictObject({
  model: modelName.nullable().default(null),
  store: z
    .string()
    .regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, 'sqlite:PATH or postgres://…')
    .nullable()
    .default(null),
  port: z.int().min(0).max(65535).default(4747),
  providers: z.record(name, ProviderConfig).default({}),
  agents: z.record(name, AgentConfig).default({}),
  approvals: z.record(name, z.enum(['allow', 'ask', 'deny'])).default({}),
  limits: z.strictObject(Limits.shape).prefault({}),
  sandbox: z.strictObject({ network: z.boolean().default(false), unsandboxed: z.boolean().default(false) }).prefault({}),
  allowed_secrets: z.array(z.string().min(1)).default([]),
})
