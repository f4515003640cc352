import type { Permission } from '../permission.ts'

/**
 * The kinds of work a plan's step may name in `tools_needed` besides tools, and the permission each takes.
 * Apart from the plan's schema, so that the page does not load a validator for five words.
 */
export const workKinds: Readonly<Record<string, Permission>> = {
  read: 'read_files',
  edit: 'write_files',
  create: 'create_files',
  delete: 'delete_files',
  run: 'execute_commands',
}
