import type { Permission } from './permission.ts'

/** What each permission allows, in words for people and models. Apart from its schema, so that the page does not load a validator for five words. */
export const permissionWords: Readonly<Record<Permission, string>> = {
  read_files: 'read files',
  write_files: 'change files',
  create_files: 'create files',
  delete_files: 'delete files',
  execute_commands: 'run commands',
}
