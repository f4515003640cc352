import * as z from 'zod'
import { NetworkSetting } from './network/policy.ts'
import { PathGlob } from './path-glob.ts'
import { Reasoning } from './reasoning.ts'
import { changePermissions, Permission, readsOnly } from './permission.ts'

/** A call that a role's author says must be allowed or denied; `troupe roles check` tries each one. */
export const PolicyExample = z.strictObject({
  tool: z.string().min(1),
  input: z.record(z.string(), z.unknown()).default({}),
  expect: z.enum(['allowed', 'denied']),
})

/** The role of a chat, a run or a workflow that names none: chats are older than roles, and then the agent could do everything. */
export const DEFAULT_ROLE = 'actor'

/** A role that somebody names: one of those that are loaded, which only a running program knows. */
export const RoleId = z.string().min(1).describe('the id of a role')

/** A role: what is enforced, how it behaves, which model plays it. Read from a file; never changed at run time. */
export type Role = z.infer<typeof Role>
export const Role = z.strictObject({
  id: z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, 'lower-case letters, digits and _, starting with a letter'),
  name: z.string().min(1).max(80),
  description: z.string().min(1).max(500),
  instructions: z.string().min(1),
  /** The model or outside agent that plays it; of several, the next one while the limit of those before it is reached. */
  llm_model: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(8)]),
  /** How long its model thinks; as the model does by itself when left out. */
  reasoning: Reasoning.exactOptional(),
  permissions: z.array(Permission).default([]),
  can_delegate_to_roles: z.array(z.string()).default([]),
  /** Whom it may reach, as far as the user's settings allow; it binds everyone it starts as well, as do the paths. */
  network: NetworkSetting.default(false),
  /** Where it may change files, and what of the workspace it sees; everywhere and everything where nothing is said. */
  write_paths: z.array(PathGlob).max(100).nullable().default(null),
  read_paths: z.array(PathGlob).max(100).nullable().default(null),
  /** Skills it is told in full from the start, where they are there. */
  skills: z
    .array(
      z
        .string()
        .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'the name of a skill, such as pdf-forms')
        .max(64),
    )
    .max(4)
    .default([]),
  color: z.enum(['blue', 'green', 'purple', 'amber', 'rose', 'teal', 'orange', 'indigo', 'slate', 'lime']).default('slate'),
  icon: z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .default('user'),
  examples: z.array(PolicyExample).default([]),
})

/** The models that play a role, in the order in which they are used. */
export function modelsOf({ llm_model }: Pick<Role, 'llm_model'>): string[] {
  return typeof llm_model === 'string' ? [llm_model] : llm_model
}

/** Whether a name stands for a program or a written script in the place of a model. What it does is then settled, so only the user has one play. */
export function isNoModel(name: string): boolean {
  return /^(agent\/|scripted:|replay:)/.test(name)
}

export type RoleSource = 'built-in' | 'user' | 'project'

/** A role together with where it was read from. */
export interface LoadedRole extends Role {
  source: RoleSource
  file: string
  /** What its file states and it does not have until the user trusts that file. */
  withheld: readonly string[]
}

export type Mode = 'plan' | 'act'

/** Plan = a role that may only read; Act = any other. Derived, never stored. */
export function modeOf(role: Pick<Role, 'permissions'>): Mode {
  return readsOnly(role.permissions) || role.permissions.length === 0 ? 'plan' : 'act'
}

/** Whether rights include one that changes files. */
export function canChange(held: readonly Permission[]): boolean {
  return changePermissions.some((permission) => held.includes(permission))
}
