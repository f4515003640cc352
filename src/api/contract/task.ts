import * as z from 'zod'
import { taskFlow } from '../../domain/board/task-flow.ts'

export const TaskState = z.enum(taskFlow.states)
/** Null where the price of a model is unknown; it is never shown as zero. */
export const cost = z.int().nonnegative().nullable()
/** What a person gives as a reason or an answer: never nothing. */
export const reason = z.string().trim().min(1).max(4_000)
