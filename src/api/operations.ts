import type * as z from 'zod'
import { boardOperations, projectOperations } from '../board/operations.ts'
import { teamOperations } from '../board/team/background.ts'
import { chatOperations } from '../chat/operations.ts'
import { jobOperations } from '../jobs/operations.ts'
import { workflowOperations, workflowPlayOperations } from '../workflows/operations.ts'
import { runPlayOperations } from '../agent/resume-operation.ts'
import { commandOperations } from '../agent/allowed-commands.ts'
import { hostOperations } from '../agent/settled-hosts.ts'
import { quotaOperations } from '../agent/quota/operations.ts'
import { runFileOperations } from '../agent/undo-run.ts'
import { runOperations } from '../agent/trace/run-operations.ts'
import { serverOperations } from '../config/mcp/operations.ts'
import { settingsOperations } from '../config/settings.ts'
import { backupOperations } from '../store/backup.ts'
import { roleOperations } from '../tools/operations.ts'
import { skillOperations } from '../tools/skill-operations.ts'
import type { BoardScope } from './areas/board.ts'
import type { FolderScope } from './areas.ts'
import { outsideAgentOperations } from './agents/operations.ts'
import { examineMachine } from './doctor/doctor.ts'
import { searchAll } from './search.ts'
import { systemOperations } from './system.ts'

/** Everything that can be done, whatever the door. The browser imports the types only. */
export const operations = [
  ...boardOperations,
  ...teamOperations,
  ...projectOperations,
  ...jobOperations,
  ...workflowOperations,
  ...workflowPlayOperations,
  ...chatOperations,
  ...roleOperations,
  ...skillOperations,
  ...settingsOperations,
  ...serverOperations,
  ...outsideAgentOperations,
  ...systemOperations,
  searchAll,
  examineMachine,
  ...runOperations,
  ...runPlayOperations,
  ...commandOperations,
  ...hostOperations,
  ...quotaOperations,
  ...runFileOperations,
  ...backupOperations,
] as const

type AnyOperation = (typeof operations)[number]
type Named<Name extends OperationName> = Extract<AnyOperation, { name: Name }>

export type OperationName = AnyOperation['name']

/** What only reads, so that a screen may ask for it again at any time. */
export type ReadName = Extract<AnyOperation, { effect: 'read' }>['name']

/** What a caller sends: defaults may be left out. A board is named only where it is not the one of the server's own folder. */
export type OperationInput<Name extends OperationName> = Fields<z.input<Named<Name>['input']>> & ScopeOf<Name>

type ScopeOf<Name> = Name extends `board.${string}`
  ? z.input<typeof BoardScope>
  : Name extends `${'role' | 'skill' | 'settings' | 'command'}.${string}`
    ? z.input<typeof FolderScope>
    : unknown

/** The input of what takes none forbids every field, and so would those that name a board. */
type Fields<Input> = string extends keyof Input ? unknown : Input

export type OperationOutput<Name extends OperationName> = z.output<Named<Name>['output']>
