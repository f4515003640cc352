import * as z from 'zod'
import { Limits } from '../domain/run.ts'

const name = z.string().regex(/^[a-z][a-z0-9_-]{0,63}$/, 'lower-case letters, digits, - and _, starting with a letter')
const envName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable, never the key itself')
const modelName = z.string().regex(/^[^/\s]+\/\S+$/, 'provider/model, for example anthropic/claude-sonnet-4-5')

/** A source of models. Keys are named by their environment variable, so that a configuration can be shown to anyone. */
export const ProviderSettings = z.strictObject({
  kind: z.enum(['openai', 'anthropic', 'google', 'openrouter', 'openai-compatible', 'scripted', 'replay']).default('openai-compatible'),
  base_url: z.url({ protocol: /^https?$/ }).optional(),
  api_key_env: envName.optional(),
  context_window: z.int().positive().optional(),
})

/** An outside coding agent: a command line with placeholders such as {prompt} and {workspace}. */
export const AgentSettings = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  env: z.array(envName).default([]),
  mounts: z.array(z.string()).default([]),
})

export const ApprovalSetting = z.enum(['allow', 'ask', 'deny'])

const Mount = z.strictObject({ path: z.string().startsWith('/', 'an absolute path'), access: z.enum(['read', 'change']).default('read') })

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
  providers: z.record(name, ProviderSettings).default({}),
  agents: z.record(name, AgentSettings).default({}),
  approvals: z.record(name, ApprovalSetting).default({}),
  limits: z.strictObject(Limits.shape).prefault({}),
  sandbox: z
    .strictObject({ network: z.boolean().default(false), unsandboxed: z.boolean().default(false), mounts: z.array(Mount).default([]) })
    .prefault({}),
  allowed_secrets: z.array(z.string().min(1)).default([]),
})
