import type { OperationOutput } from '../../src/api/operations.ts'

/** A role as screens show it. */
export type RoleView = OperationOutput<'role.list'>['roles'][number]
