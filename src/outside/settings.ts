import * as z from 'zod'
import { NetworkSetting } from '../domain/network/policy.ts'

/** What a server or a tool of it may do, by the word of the user: read alone, change files, or anything a command may. */
export type ToolClass = z.infer<typeof ToolClass>
export const ToolClass = z.enum(['read', 'change', 'anything'])

/** One underscore at a time: two of them part the names of server and tool. */
export const ServerName = z
  .string()
  .regex(/^[A-Za-z][A-Za-z0-9-]*(_[A-Za-z0-9-]+)*$/, {
    error: 'letters, digits, - and single _, starting with a letter',
  })
  .max(32)

const EnvName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'the name of an environment variable, never its value')
const Folder = z.string().regex(/^~?\//, 'an absolute path, or one that starts with ~/')

/** A server of tools that the user configured: a program that is started in the sandbox, or an address. */
export type ServerSettings = z.infer<typeof ServerSettings>
export const ServerSettings = z
  .strictObject({
    command: z.string().min(1).optional().describe('the program of a local server; it runs in the sandbox of the role that uses it'),
    args: z.array(z.string()).default([]).describe('its arguments; {workspace} is filled in'),
    env: z.array(EnvName).default([]).describe('the variables it is given, by name; it sees no others'),
    variables: z.record(EnvName, z.string()).default({}).describe('more variables with their values, none of which is a secret'),
    mounts: z.array(Folder).default([]).describe('more folders it may read, such as the one it is installed in'),
    writes: z.array(Folder).default([]).describe('folders outside the workspace that it may change, whichever role uses it'),
    network: NetworkSetting.default('off').describe('whom a local server reaches, as in sandbox.network'),
    url: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('the address of a server elsewhere, in place of a command'),
    headers: z
      .record(z.string().regex(/^[A-Za-z0-9-]+$/), EnvName)
      .default({})
      .describe('headers sent to it, each with the variable that holds its value'),
    may: ToolClass.optional().describe('what all its tools may do; a tool without a class needs every permission and asks each time'),
    tools: z
      .record(z.string(), z.union([ToolClass, z.literal('off')]))
      .default({})
      .describe('the same by the name of a tool, or off'),
    trust_hints: z
      .boolean()
      .default(false)
      .describe('take its word for which tools only read; a local server is held to it by the sandbox'),
    roles: z.array(z.string()).optional().describe('the only roles that may use it'),
    timeout_s: z.number().positive().max(3600).default(60).describe('for how long a call may give no sign'),
    enabled: z.boolean().default(true),
  })
  .refine(({ command, url }) => (command === undefined) !== (url === undefined), { error: 'needs a command or a url, and not both' })
