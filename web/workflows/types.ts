import type { OperationOutput } from '../../src/api/operations.ts'

export type WorkflowRunView = OperationOutput<'workflow.show_run'>

export type WorkflowSummary = OperationOutput<'workflow.list'>['workflows'][number]
