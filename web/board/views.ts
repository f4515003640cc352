import type { OperationOutput } from '../../src/api/operations.ts'

/** A board, opened. */
export type BoardView = OperationOutput<'board.view'>
export type BoardColumn = BoardView['columns'][number]
export type TaskCard = BoardColumn['cards'][number]
export type BoardAgentView = BoardView['agents'][number]
export type AlarmView = OperationOutput<'board.list_alarms'>['alarms'][number]
export type BoardGraph = OperationOutput<'board.view_graph'>
export type SprintView = OperationOutput<'board.view_sprint'>
