import { checkRoles, trustRoles } from './role-check.ts'
import { explainCall, listRoles, listTools, showRole } from './role-operations.ts'

/** Everything that can be done with roles and the tools they may call. */
export const roleOperations = [listRoles, showRole, checkRoles, explainCall, trustRoles, listTools] as const
